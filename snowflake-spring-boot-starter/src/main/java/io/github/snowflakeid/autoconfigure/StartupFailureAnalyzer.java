package io.github.snowflakeid.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Reports a {@link StartupFailure} without the bean creation exceptions around it. */
@Order(0)
final class StartupFailureAnalyzer extends AbstractFailureAnalyzer<StartupFailure> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartupFailure cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
