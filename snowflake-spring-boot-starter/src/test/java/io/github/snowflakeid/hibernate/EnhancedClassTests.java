package io.github.snowflakeid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.mapping.IdType;
import jakarta.persistence.Embeddable;
import java.io.InputStream;
import java.util.Objects;
import org.hibernate.bytecode.enhance.spi.DefaultEnhancementContext;
import org.hibernate.bytecode.internal.bytebuddy.BytecodeProviderImpl;
import org.junit.jupiter.api.Test;

/** Classes that the build plugins of Hibernate have changed. */
class EnhancedClassTests {

    @Test
    void fieldsOfHibernateAreNoAttributesOfATypedId() throws Exception {
        Class<?> enhanced = enhanced(CrateId.class);

        assertThat(enhanced.getDeclaredFields().length).isGreaterThan(1);
        assertThat(IdType.of(enhanced)).isNotNull();
    }

    private static Class<?> enhanced(Class<?> type) throws Exception {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream original = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(file))) {
            byte[] bytes = Objects.requireNonNull(new BytecodeProviderImpl()
                    .getEnhancer(new DefaultEnhancementContext())
                    .enhance(type.getName(), original.readAllBytes()));
            return new ClassLoader(type.getClassLoader()) {
                Class<?> define() {
                    return defineClass(type.getName(), bytes, 0, bytes.length);
                }
            }.define();
        }
    }

    @Embeddable
    @SnowflakeId
    static class CrateId {

        Long value;

        protected CrateId() {}

        CrateId(Long value) {
            this.value = value;
        }
    }
}
