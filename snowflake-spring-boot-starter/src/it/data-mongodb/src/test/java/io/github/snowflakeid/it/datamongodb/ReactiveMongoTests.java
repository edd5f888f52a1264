package io.github.snowflakeid.it.datamongodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import jakarta.validation.constraints.NotNull;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.mongodb.core.BulkOperations.BulkMode;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.event.ReactiveValidatingEntityCallback;
import org.springframework.data.mongodb.core.mapping.event.ValidatingEntityCallback;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.test.context.ContextConfiguration;

@SpringBootTest(classes = {MongoShop.class, ReactiveMongoTests.Validation.class})
@ContextConfiguration(initializers = MongoServer.class)
class ReactiveMongoTests {

    static class Validation {

        @Bean
        ValidatingEntityCallback validation(Validator validator) {
            return new ValidatingEntityCallback(validator);
        }

        @Bean
        ReactiveValidatingEntityCallback reactiveValidation(Validator validator) {
            return new ReactiveValidatingEntityCallback(validator);
        }

        /** A generator whose IDs are in the future, so that callers have to wait. */
        @Bean
        IdGenerator slow() {
            AtomicLong last = new AtomicLong(1_000_000);
            return new IdGenerator() {
                @Override
                public long nextId() {
                    assertThat(Thread.currentThread().getName()).startsWith("boundedElastic");
                    return last.incrementAndGet();
                }

                @Override
                public OptionalLong tryNextId() {
                    return OptionalLong.empty();
                }
            };
        }
    }

    @Autowired
    private ReactiveMongoTicketRepository tickets;

    @Autowired
    private ReactiveMongoTemplate template;

    @Autowired
    private MongoTemplate blocking;

    @Test
    void allWaysToInsertSetIds() {
        List<MongoTicket> all = tickets.saveAll(List.of(new MongoTicket(null, "a"), new MongoTicket(null, "b")))
                .collectList()
                .block();
        all.addAll(tickets.insert(List.of(new MongoTicket(null, "c")))
                .collectList()
                .block());
        all.add(tickets.save(new MongoTicket(null, "d")).block());
        all.add(template.save(new MongoTicket(null, "e")).block());
        all.add(template.insert(new MongoTicket(null, "f")).block());

        assertThat(all).extracting(MongoTicket::id).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(tickets.findAllById(all.stream().map(MongoTicket::id).toList())
                        .collectList()
                        .block())
                .containsExactlyInAnyOrderElementsOf(all);
        assertThat(tickets.save(new MongoTicket(4713L, "imported")).block().id())
                .isEqualTo(4713);
    }

    @Test
    void bulkInsertsSetIds() {
        template.bulkOps(BulkMode.ORDERED, MongoTicket.class)
                .insert(List.of(new MongoTicket(null, "pair"), new MongoTicket(null, "pair")))
                .execute()
                .block();

        assertThat(template.find(Query.query(Criteria.where("title").is("pair")), MongoTicket.class)
                        .collectList()
                        .block())
                .hasSize(2)
                .extracting(MongoTicket::id)
                .doesNotHaveDuplicates();
    }

    static class Checked {

        @Id
        @SnowflakeId("deliveries")
        @NotNull
        Long id;

        @NotNull
        String name;

        Checked(String name) {
            this.name = name;
        }
    }

    record Versioned(
            @Id @SnowflakeId MongoOrderId id, @Version Long version) {}

    @Test
    void idsAreSetBeforeValidation() {
        assertThat(template.save(new Checked("a")).block().id).isPositive();
        assertThat(template.insert(new Checked("a")).block().id).isPositive();
        assertThat(blocking.save(new Checked("a")).id).isPositive();
        assertThatExceptionOfType(ConstraintViolationException.class)
                .isThrownBy(() -> template.save(new Checked(null)).block());
    }

    @Test
    void versionsBehaveAsWithObjectIds() {
        Versioned saved = template.save(new Versioned(null, null)).block();
        assertThat(saved.version()).isZero();
        assertThat(template.save(saved).block()).isEqualTo(new Versioned(saved.id(), 1L));
        assertThat(template.findById(saved.id(), Versioned.class).block()).isEqualTo(new Versioned(saved.id(), 1L));
    }

    /** No callback is called. */
    @Test
    void replacementsKeepTheIdOfTheDocument() {
        MongoTicket saved = tickets.save(new MongoTicket(null, "old")).block();
        template.replace(Query.query(Criteria.where("title").is("old")), new MongoTicket(null, "new"))
                .block();

        assertThat(tickets.findById(saved.id()).block()).isEqualTo(new MongoTicket(saved.id(), "new"));
    }
}
