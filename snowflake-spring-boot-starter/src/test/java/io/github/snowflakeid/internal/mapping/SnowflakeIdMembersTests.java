package io.github.snowflakeid.internal.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.publicid.PublicId;
import org.junit.jupiter.api.Test;

class SnowflakeIdMembersTests {

    private final SnowflakeIdMembers members = new SnowflakeIdMembers();

    @PublicId("order")
    abstract static class Base {

        final long value;

        Base(long value) {
            this.value = value;
        }
    }

    static final class CustomerId extends Base {

        CustomerId(long value) {
            super(value);
        }
    }

    static final class Pair extends Base {

        final long other;

        Pair(long value, long other) {
            super(value);
            this.other = other;
        }
    }

    @Test
    void anAbstractSuperclassMayDeclareItsSubclassesToBeIds() {
        assertThat(members.in(CustomerId.class)).isEmpty();
        assertThat(members.in(Base.class)).isEmpty();
    }

    @Test
    void aSubclassWithSeveralAttributesIsNoId() {
        assertThatThrownBy(() -> members.in(Pair.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(Pair.class.getName() + " cannot be an ID");
    }
}
