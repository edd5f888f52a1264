package io.github.snowflakeid.hibernate;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what is wrong with an attribute, without the many exceptions that Hibernate and Spring wrap around it. */
final class IdMappingFailureAnalyzer extends AbstractFailureAnalyzer<IdMappingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, IdMappingException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
    }
}
