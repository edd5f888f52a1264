package io.github.snowflakeid.internal.actuate;

import io.github.snowflakeid.autoconfigure.SnowflakeGenerators;
import io.github.snowflakeid.numbers.AllSeries;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;

/** Matches if there are generators or series of document numbers. */
public final class OnIdsOrNumbers extends AnyNestedCondition {

    OnIdsOrNumbers() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnBean(SnowflakeGenerators.class)
    static final class Ids {}

    @ConditionalOnBean(AllSeries.class)
    static final class Numbers {}
}
