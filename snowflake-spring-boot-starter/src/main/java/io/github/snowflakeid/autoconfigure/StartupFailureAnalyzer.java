package io.github.snowflakeid.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a {@link StartupFailure} without the bean creation exceptions around it. */
final class StartupFailureAnalyzer extends AbstractFailureAnalyzer<StartupFailure> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, StartupFailure cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
