package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.convert.converter.Converter;
import org.springframework.data.convert.ReadingConverter;
import org.springframework.data.convert.WritingConverter;
import org.springframework.data.r2dbc.convert.R2dbcCustomConversions;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.dialect.DialectResolver;
import org.springframework.r2dbc.core.DatabaseClient;

/** IDs that are objects with one component, in one column. */
@SpringBootTest
class R2dbcTypedIdTests {

    @Autowired
    private TypedTickets tickets;

    @Test
    void rowsAreFoundByTheirIds() {
        assertThat(tickets.readNewest().blockOptional()).isEmpty();
        TypedTicket saved = tickets.save(new TypedTicket(null, null, "Hamlet")).block();
        TypedTicket next =
                tickets.save(new TypedTicket(null, saved.id(), "Macbeth")).block();

        assertThat(saved.id().value()).isPositive();
        assertThat(saved.replaces()).isNull();
        assertThat(tickets.findById(new TypedTicket.Number(saved.id().value())).block())
                .isEqualTo(saved);
        assertThat(tickets.findAllById(List.of(saved.id(), next.id()))
                        .collectList()
                        .block())
                .containsExactlyInAnyOrder(saved, next);
        assertThat(tickets.findByIdIn(List.of(saved.id())).collectList().block())
                .containsExactly(saved);
        assertThat(tickets.findByReplaces(saved.id()).collectList().block()).containsExactly(next);
        assertThat(tickets.read(saved.id()).block()).isEqualTo(saved);
        assertThat(tickets.readNewest().block()).isEqualTo(next.id());
        tickets.deleteById(saved.id()).block();
        assertThat(tickets.existsById(saved.id()).block()).isFalse();
    }

    @Test
    void objectThatHoldsNoIdIsFilledAndInserted(@Autowired R2dbcEntityTemplate template) {
        TypedTicket empty = new TypedTicket(new TypedTicket.Number(null), null, "Hamlet");
        TypedTicket inserted = template.insert(empty).block();

        assertThat(tickets.findById(inserted.id()).block()).isEqualTo(inserted);
        TypedTicket saved = tickets.save(empty).block();
        assertThat(tickets.findById(saved.id()).block()).isEqualTo(saved);
    }

    /** A bean that replaces Spring Boot's bean. */
    @Nested
    @Import(R2dbcTypedIdTests.OwnConversions.Conversions.class)
    class OwnConversions {

        @TestConfiguration
        static class Conversions {

            @Bean
            R2dbcCustomConversions conversions(DatabaseClient client) {
                return R2dbcCustomConversions.of(
                        DialectResolver.getDialect(client.getConnectionFactory()), new Write(), new Read());
            }
        }

        @WritingConverter
        static class Write implements Converter<TypedTicket.Number, Long> {

            @Override
            public Long convert(TypedTicket.Number id) {
                return -id.value();
            }
        }

        @ReadingConverter
        static class Read implements Converter<Long, TypedTicket.Number> {

            @Override
            public TypedTicket.Number convert(Long number) {
                return new TypedTicket.Number(-number);
            }
        }

        @Test
        void win(@Autowired TypedTickets itsTickets, @Autowired DatabaseClient client) {
            TypedTicket saved =
                    itsTickets.save(new TypedTicket(null, null, "Hamlet")).block();

            assertThat(itsTickets.findById(saved.id()).block()).isEqualTo(saved);
            assertThat(client.sql("select id from typed_ticket where id = :id")
                            .bind("id", -saved.id().value())
                            .mapValue(Long.class)
                            .one()
                            .block())
                    .isNegative();
        }
    }
}
