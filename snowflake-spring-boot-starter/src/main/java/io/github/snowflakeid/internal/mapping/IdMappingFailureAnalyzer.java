package io.github.snowflakeid.internal.mapping;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what is wrong with an attribute, without the many exceptions that mappers and Spring wrap around it. */
public final class IdMappingFailureAnalyzer extends AbstractFailureAnalyzer<IdMappingException> {

    /** For Spring Boot. */
    public IdMappingFailureAnalyzer() {}

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, IdMappingException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
    }
}
