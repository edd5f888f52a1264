package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.SpringVersion;
import org.springframework.core.convert.converter.Converter;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.JdbcCustomConversions;
import org.springframework.data.jdbc.core.mapping.AggregateReference;
import org.springframework.jdbc.core.JdbcTemplate;

/** IDs that are objects with one component, in one column. */
@SpringBootTest(
        classes = DataJdbcShop.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:typed-ids",
            "spring.sql.init.schema-locations=classpath:typed-ids.sql"
        })
class TypedIdTests {

    @Autowired
    private TypedOrders orders;

    private TypedOrder save(TypedOrder.Number id, TypedOrder.Line... lines) {
        return orders.save(new TypedOrder(id, null, null, Set.of(lines)));
    }

    @Test
    void rowsAreFoundByTheirIds() {
        TypedOrder saved = save(null);
        TypedOrder other = save(null);

        assertThat(saved.id().value()).isPositive();
        assertThat(orders.findById(new TypedOrder.Number(saved.id().value()))).contains(saved);
        assertThat(orders.findAllById(List.of(saved.id(), other.id()))).containsExactlyInAnyOrder(saved, other);
        assertThat(orders.findByIdIn(List.of(saved.id(), new TypedOrder.Number(5L))))
                .containsExactly(saved);
        assertThat(orders.read(saved.id()).id()).isEqualTo(saved.id());
        assertThat(orders.readIds(List.of(saved.id(), other.id()))).containsExactlyInAnyOrder(saved.id(), other.id());
        assertThat(orders.readNewest()).isEqualTo(other.id());
        orders.deleteById(saved.id());
        assertThat(orders.existsById(saved.id())).isFalse();
    }

    @Test
    void foreignKeysAreAttributes() {
        TypedOrder first = save(null);
        TypedOrder next = orders.save(new TypedOrder(null, first.id(), null, Set.of()));

        assertThat(orders.findByReplaces(first.id())).containsExactly(next);
    }

    /** Spring Data JDBC 3 does not convert IDs in references. */
    @Test
    void foreignKeysAreReferencesInSpringData4() {
        TypedOrder first = save(null);
        TypedOrder next = new TypedOrder(null, null, AggregateReference.to(first.id()), Set.of());

        if (String.valueOf(SpringVersion.getVersion()).startsWith("6.")) {
            assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> orders.save(next));
        } else {
            assertThat(orders.findById(orders.save(next).id())
                            .orElseThrow()
                            .origin()
                            .getId())
                    .isEqualTo(first.id());
        }
    }

    @Test
    void annotationOfTheComponentIsForIdsOnly() {
        TypedOrder saved = save(null, new TypedOrder.Line(null, null, new TypedOrder.CustomerId(BigInteger.TEN)));

        TypedOrder found = orders.findById(saved.id()).orElseThrow();
        assertThat(found).isEqualTo(saved);
        assertThat(found.lines()).singleElement().satisfies(line -> {
            assertThat(line.id().value()).matches("[0-9]+");
            assertThat(line.previous()).isNull();
        });
    }

    @Test
    void objectThatHoldsNoIdIsFilledAndInserted() {
        TypedOrder saved = save(new TypedOrder.Number(null));

        assertThat(orders.findById(saved.id())).contains(saved);
        assertThat(orders.save(new TypedOrder(saved.id(), saved.id(), null, Set.of()))
                        .id())
                .isEqualTo(saved.id());
        assertThat(orders.findById(saved.id()).orElseThrow().replaces()).isEqualTo(saved.id());
    }

    @Test
    void updateOfNoRowIsRejected() {
        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(() -> {
                    try {
                        save(new TypedOrder.Number(4711L));
                    } catch (RuntimeException e) {
                        // Spring Boot 3.5 wraps the exception.
                        throw e.getCause() instanceof RuntimeException cause ? cause : e;
                    }
                })
                .withMessageContaining("leave 'id' null");
    }

    @Test
    void entityThatNothingAnnouncesIsRejected(@Autowired JdbcAggregateTemplate template) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> template.save(new Unannounced(null)))
                .withMessageContaining("'id' of " + Unannounced.class.getName());
    }

    record Unknown(Long value) {}

    record Unannounced(@Id @SnowflakeId TypedIdTests.Unknown id) {}

    /** A bean that replaces Spring Boot's bean. */
    @Nested
    @Import(TypedIdTests.OwnConversions.Conversions.class)
    class OwnConversions {

        @TestConfiguration
        static class Conversions {

            @Bean
            JdbcCustomConversions conversions() {
                return new JdbcCustomConversions(List.of(new Write(), new Read()));
            }
        }

        @WritingConverter
        static class Write implements Converter<TypedOrder.Number, Long> {

            @Override
            public Long convert(TypedOrder.Number id) {
                return -id.value();
            }
        }

        @ReadingConverter
        static class Read implements Converter<Long, TypedOrder.Number> {

            @Override
            public TypedOrder.Number convert(Long number) {
                return new TypedOrder.Number(-number);
            }
        }

        @Test
        void winAndAreAddedTo(@Autowired TypedOrders itsOrders, @Autowired JdbcTemplate jdbc) {
            TypedOrder saved =
                    itsOrders.save(new TypedOrder(null, null, null, Set.of(new TypedOrder.Line(null, null, null))));

            assertThat(itsOrders.findById(saved.id())).contains(saved);
            assertThat(jdbc.queryForObject(
                            "select id from typed_order where id = ?",
                            Long.class,
                            -saved.id().value()))
                    .isNegative();
        }
    }
}
