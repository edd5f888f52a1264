package io.github.snowflakeid.it.datajdbc;

import io.github.snowflakeid.SnowflakeId;
import java.math.BigInteger;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.AggregateReference;

/** An entity with typed IDs, known by its repository. */
record TypedOrder(
        @Id @SnowflakeId TypedOrder.Number id,
        TypedOrder.Number replaces,
        AggregateReference<TypedOrder, TypedOrder.Number> origin,
        Set<TypedOrder.Line> lines) {

    record Number(Long value) {}

    record Line(@Id TypedOrder.LineId id, TypedOrder.LineId previous, TypedOrder.CustomerId customer) {}

    @SnowflakeId
    record LineId(String value) {}

    @SnowflakeId
    static final class CustomerId {

        private final BigInteger value;

        CustomerId(BigInteger value) {
            this.value = value;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof CustomerId that && value.equals(that.value);
        }

        @Override
        public int hashCode() {
            return value.hashCode();
        }
    }
}
