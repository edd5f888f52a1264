package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.IdFormat;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.stat.Statistics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** Direct use of Hibernate: each test has a separate entity manager and rolls back. */
@SpringBootTest
class JpaEntityTests {

    @Autowired
    private EntityManagerFactory factory;

    @Autowired
    private IdLayout layout;

    private EntityManager entities;

    @BeforeEach
    void begin() {
        entities = factory.createEntityManager();
        entities.getTransaction().begin();
    }

    @AfterEach
    void rollBack() {
        entities.getTransaction().rollback();
        entities.close();
    }

    @Test
    void givesEveryTypeOfIdAnIdOfTheConfiguredWorker() {
        assertThatIsNew(persist(new JpaEntities.LongId()).id);
        assertThatIsNew(persist(new JpaEntities.PrimitiveId()).id);
        assertThatIsNew(Long.parseLong(persist(new JpaEntities.StringId()).id));
        assertThatIsNew(IdFormat.CROCKFORD.parse(persist(new JpaEntities.CrockfordId()).id));
        assertThatIsNew(persist(new JpaEntities.BigIntegerId()).id.longValueExact());
        assertThatIsNew(persist(new JpaEntities.PropertyAccess()).getId());
        assertThatIsNew(persist(new JpaEntities.Versioned()).id);
    }

    @Test
    void givesIdsThatAreDeclaredInAMappedSuperclass() {
        assertThatIsNew(persist(new JpaEntities.Purchase()).id);
        assertThatIsNew(Long.parseLong(persist(new JpaEntities.GenericString()).id));
        assertThatIsNew(persist(new JpaEntities.Child()).id);
    }

    @Test
    void givesPartsOfCompositeIds() {
        JpaEntities.WithEmbeddedId embedded = new JpaEntities.WithEmbeddedId();
        embedded.key.region = "eu";
        assertThatIsNew(persist(embedded).key.number);
        assertThat(embedded.key.region).isEqualTo("eu");

        JpaEntities.WithIdClass idClass = new JpaEntities.WithIdClass();
        idClass.region = "us";
        assertThatIsNew(persist(idClass).number);
        assertThat(entities.find(JpaEntities.WithIdClass.class, new JpaEntities.ClassKey(idClass.number, "us")))
                .isSameAs(idClass);
    }

    @Test
    void givesOtherColumnsIdsOnInsertAndNeverAgain() {
        JpaEntities.OtherColumns row = new JpaEntities.OtherColumns();
        row.name = "one";
        row.parcel.weight = "heavy";
        persist(row);
        assertThatIsNew(row.number);
        assertThatIsNew(Long.parseLong(row.code));
        assertThatIsNew(row.parcel.tracking);
        assertThat(row.number).isNotEqualTo(row.parcel.tracking);
        long number = row.number;

        row.text = "changed";
        entities.flush();
        entities.clear();

        JpaEntities.OtherColumns found = entities.find(JpaEntities.OtherColumns.class, "one");
        assertThat(found.number).isEqualTo(number);
        assertThat(found.code).isEqualTo(row.code);
        assertThat(found.text).isEqualTo("changed");
    }

    @Test
    void givesIdsByGeneratorNameAlone() {
        assertThatIsNew(persist(new JpaEntities.Named()).id);
        assertThatIsNew(persist(new JpaEntities.NamedPrimitive()).id);
        assertThatIsNew(Long.parseLong(persist(new JpaEntities.NamedString()).id));
        assertThatIsNew(persist(new JpaEntities.NamedBigInteger()).id.longValueExact());
    }

    @Test
    void keepsIdsThatTheApplicationAssigns() {
        JpaEntities.LongId boxed = new JpaEntities.LongId();
        boxed.id = 42L;
        JpaEntities.PrimitiveId primitive = new JpaEntities.PrimitiveId();
        primitive.id = 42;
        JpaEntities.StringId string = new JpaEntities.StringId();
        string.id = "forty-two";
        JpaEntities.Named named = new JpaEntities.Named();
        named.id = 42L;
        JpaEntities.NamedPrimitive namedPrimitive = new JpaEntities.NamedPrimitive();
        namedPrimitive.id = 42;
        JpaEntities.OtherColumns other = new JpaEntities.OtherColumns();
        other.name = "other";
        other.number = 42L;

        assertThat(persist(boxed).id).isEqualTo(42);
        assertThat(persist(primitive).id).isEqualTo(42);
        assertThat(persist(string).id).isEqualTo("forty-two");
        assertThat(persist(named).id).isEqualTo(42);
        assertThat(persist(namedPrimitive).id).isEqualTo(42);
        assertThat(persist(other).number).isEqualTo(42);
        assertThat(entities.find(JpaEntities.StringId.class, "forty-two")).isSameAs(string);
    }

    @Test
    void keepsAssignedIdsInMerge() {
        JpaEntities.LongId boxed = new JpaEntities.LongId();
        boxed.id = 43L;
        JpaEntities.Named named = new JpaEntities.Named();
        named.id = 43L;
        JpaEntities.PrimitiveId primitive = new JpaEntities.PrimitiveId();
        primitive.id = 43;

        assertThat(entities.merge(boxed).id).isEqualTo(43);
        assertThat(entities.merge(named).id).isEqualTo(43);
        assertThat(entities.merge(primitive).id).isEqualTo(43);
        entities.flush();
    }

    @Test
    void setsIdsOfObjectsThatAreMergedWithoutOne() {
        assertThatIsNew(entities.merge(new JpaEntities.LongId()).id);
        assertThatIsNew(entities.merge(new JpaEntities.PrimitiveId()).id);
        assertThatIsNew(entities.merge(new JpaEntities.Versioned()).id);
        assertThatIsNew(entities.merge(new JpaEntities.Named()).id);
        assertThatIsNew(entities.merge(new JpaEntities.NamedPrimitive()).id);
        entities.flush();
    }

    @Test
    void givesIdsInStatelessSessions() {
        JpaEntities.PrimitiveId assigned = new JpaEntities.PrimitiveId();
        assigned.id = 44;
        JpaEntities.LongId upserted = new JpaEntities.LongId();
        upserted.id = 45L;

        try (StatelessSession session = factory.unwrap(SessionFactory.class).openStatelessSession()) {
            // A batch could not be read before the end of the transaction.
            session.setJdbcBatchSize(1);
            session.beginTransaction();
            JpaEntities.LongId boxed = new JpaEntities.LongId();
            JpaEntities.PrimitiveId primitive = new JpaEntities.PrimitiveId();
            session.insert(boxed);
            session.insert(primitive);
            session.insert(assigned);
            assertThatIsNew(boxed.id);
            assertThatIsNew(primitive.id);
            assertThat(assigned.id).isEqualTo(44L);
            session.upsert(upserted);
            upserted.text = "changed";
            session.upsert(upserted);

            assertThat(session.get(JpaEntities.LongId.class, 45L).text).isEqualTo("changed");
            session.getTransaction().rollback();
        }
    }

    @Test
    void sendsInsertsOfStatelessSessionsInBatches() {
        SessionFactory sessions = factory.unwrap(SessionFactory.class);
        try (StatelessSession session = sessions.openStatelessSession()) {
            session.setJdbcBatchSize(100);
            session.beginTransaction();
            long before = sessions.getStatistics().getPrepareStatementCount();
            for (int i = 0; i < 100; i++) {
                session.insert(new JpaEntities.LongId());
            }

            assertThat(sessions.getStatistics().getPrepareStatementCount() - before)
                    .isEqualTo(1);
            session.getTransaction().rollback();
        }
    }

    @Test
    void givesIdsToCascadedEntities() {
        JpaEntities.Purchase purchase = new JpaEntities.Purchase();
        for (int i = 0; i < 3; i++) {
            purchase.lines.add(new JpaEntities.Line());
        }

        persist(purchase);

        assertThat(purchase.lines).allSatisfy(line -> assertThatIsNew(line.id));
        assertThat(purchase.lines).extracting(line -> line.id).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void sendsInsertsInBatches() {
        assertThat(statementsFor(i -> new JpaEntities.LongId())).isEqualTo(1);
        assertThat(statementsFor(i -> new JpaEntities.Named())).isEqualTo(1);
        assertThat(statementsFor(i -> {
                    JpaEntities.WithEmbeddedId row = new JpaEntities.WithEmbeddedId();
                    row.key.region = "eu";
                    return row;
                }))
                .isEqualTo(1);
    }

    @Test
    void givesIdsToInsertValuesInHql() {
        int rows = entities.createQuery("insert into LongId (text) values ('a'), ('b')")
                        .executeUpdate()
                + entities.createQuery("insert into Named (text) values ('c'), ('d')")
                        .executeUpdate();

        assertThat(rows).isEqualTo(4);
        assertThat(entities.createQuery("select id from LongId", Long.class).getResultList())
                .doesNotHaveDuplicates()
                .hasSize(2)
                .allSatisfy(this::assertThatIsNew);
        assertThat(entities.createQuery("select id from Named", Long.class).getResultList())
                .doesNotHaveDuplicates()
                .hasSize(2)
                .allSatisfy(this::assertThatIsNew);
    }

    @Test
    void rejectsInsertSelectInHqlThatWouldRepeatAnId() {
        for (String entity : List.of("LongId", "Named")) {
            assertThatThrownBy(() -> entities.createQuery(
                                    "insert into %s (text) select text from LongId".formatted(entity))
                            .executeUpdate())
                    .hasMessageContaining("INSERT-SELECT without bulk insertion capable identifier generator");
        }
        assertThat(entities.createQuery("insert into Named (id, text) select id, text from LongId")
                        .executeUpdate())
                .isZero();
    }

    private long statementsFor(Function<Integer, Object> entity) {
        Statistics statistics = factory.unwrap(SessionFactory.class).getStatistics();
        statistics.clear();
        for (int i = 0; i < 100; i++) {
            entities.persist(entity.apply(i));
        }
        entities.flush();
        return statistics.getPrepareStatementCount();
    }

    private <T> T persist(T entity) {
        entities.persist(entity);
        entities.flush();
        return entity;
    }

    private void assertThatIsNew(long id) {
        IdFields fields = layout.decode(id);
        assertThat(fields.workerId()).isEqualTo(7);
        assertThat(Duration.between(fields.timestamp(), Instant.now())).isBetween(Duration.ZERO, Duration.ofMinutes(1));
        assertThat(BigInteger.valueOf(id)).isPositive();
    }
}
