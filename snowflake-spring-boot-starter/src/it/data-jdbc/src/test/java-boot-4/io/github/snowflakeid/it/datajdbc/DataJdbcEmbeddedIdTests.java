package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.data.relational.core.mapping.Embedded.OnEmpty.USE_EMPTY;
import static org.springframework.data.relational.core.mapping.Embedded.OnEmpty.USE_NULL;

import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Transient;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Persistable;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/** IDs that are objects. Spring Data JDBC supports them since version 4. */
@SpringBootTest(
        classes = DataJdbcShop.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:embedded-ids",
            "spring.sql.init.schema-locations=classpath:embedded-ids.sql"
        })
@Import(DataJdbcEmbeddedIdTests.Callbacks.class)
class DataJdbcEmbeddedIdTests {

    @Autowired
    private JdbcAggregateTemplate template;

    @SnowflakeId
    record ParcelId(Long value) {

        ParcelId {
            Objects.requireNonNull(value);
        }
    }

    record Parcel(@Id @Embedded(onEmpty = USE_NULL) ParcelId id, int weight) {}

    @Test
    void nullIdIsFilledAndInserted() {
        Parcel saved = template.save(new Parcel(null, 3));

        assertThat(saved.id().value()).isPositive();
        assertThat(template.findById(saved.id(), Parcel.class)).isEqualTo(saved);
    }

    @Test
    void nullIdsOfManyAreFilledAndInserted() {
        List<Parcel> saved = template.saveAll(List.of(new Parcel(null, 1), new Parcel(null, 2)));

        assertThat(saved).extracting(Parcel::id).doesNotContainNull().doesNotHaveDuplicates();
        assertThat(template.findAllById(saved.stream().map(Parcel::id).toList(), Parcel.class))
                .containsExactlyInAnyOrderElementsOf(saved);
    }

    @Test
    void nullIdIsFilledByInsertAndUpsert() {
        Parcel inserted = template.insert(new Parcel(null, 3));
        Parcel upserted = template.upsert(new Parcel(null, 4));

        assertThat(template.findById(inserted.id(), Parcel.class)).isEqualTo(inserted);
        assertThat(template.findById(upserted.id(), Parcel.class)).isEqualTo(upserted);
    }

    @Test
    void existingRowIsUpdated() {
        Parcel saved = template.save(new Parcel(null, 3));

        template.save(new Parcel(saved.id(), 4));

        assertThat(template.findById(saved.id(), Parcel.class)).isEqualTo(new Parcel(saved.id(), 4));
    }

    @Test
    void updateOfNoRowIsRejected() {
        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(() -> template.save(new Parcel(new ParcelId(4711L), 3)))
                .withMessageStartingWith(Parcel.class.getName() + " with ID ParcelId[value=4711] was not saved: ");
    }

    @SnowflakeId
    record CrateId(Long value) {}

    record Crate(@Id @Embedded(onEmpty = USE_NULL) CrateId id, String name) {}

    @Test
    void idThatHoldsNullIsFilledByInsertAndUpsert() {
        Crate inserted = template.insert(new Crate(new CrateId(null), "tea"));
        Crate upserted = template.upsert(new Crate(new CrateId(null), "cups"));

        assertThat(template.findById(inserted.id(), Crate.class)).isEqualTo(inserted);
        assertThat(template.findById(upserted.id(), Crate.class)).isEqualTo(upserted);
    }

    @Test
    void idThatHoldsNullIsFilledAndInsertedBySave() {
        Crate saved = template.save(new Crate(new CrateId(null), "tea"));
        List<Crate> many =
                template.saveAll(List.of(new Crate(new CrateId(null), "a"), new Crate(new CrateId(null), "b")));

        assertThat(template.findById(saved.id(), Crate.class)).isEqualTo(saved);
        assertThat(template.findAllById(many.stream().map(Crate::id).toList(), Crate.class))
                .containsExactlyInAnyOrderElementsOf(many);
        template.save(new Crate(saved.id(), "cups"));
        assertThat(template.findById(saved.id(), Crate.class).name()).isEqualTo("cups");
    }

    @Test
    void rowThatWasFilledAndDeletedSinceIsNotInsertedAgain() {
        Crate saved = template.save(new Crate(new CrateId(null), "tea"));
        Crate inserted = template.insert(new Crate(new CrateId(null), "tea"));
        template.deleteAll(Crate.class);

        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(() -> template.save(saved));
        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(() -> template.save(inserted));
    }

    static class PalletId {

        @SnowflakeId
        String value;

        @Transient
        String note = "set by the constructor";
    }

    static class Pallet {

        @Id
        @Embedded(onEmpty = USE_EMPTY)
        PalletId id;

        String name;
    }

    @Test
    void objectsThatCanBeChangedAreFilledThemselves() {
        Pallet pallet = new Pallet();
        pallet.name = "tea";

        assertThat(template.save(pallet)).isSameAs(pallet);

        assertThat(pallet.id.note).isNotNull();
        assertThat(template.findById(pallet.id, Pallet.class).id.value).isEqualTo(pallet.id.value);
    }

    @Test
    void emptyIdOfAnObjectThatCanBeChangedIsFilledByInsert() {
        Pallet pallet = new Pallet();
        pallet.id = new PalletId();
        pallet.name = "cups";

        template.insert(pallet);

        assertThat(template.findById(pallet.id, Pallet.class).name).isEqualTo("cups");
    }

    record InvoiceId(String tenant, @SnowflakeId long number) {}

    record Invoice(
            @Id @Embedded(onEmpty = USE_NULL) InvoiceId id,
            @SnowflakeId Long reference,
            int amount) {}

    @Test
    void annotatedPartOfAnIdIsFilledByInsert() {
        Invoice inserted = template.insert(new Invoice(new InvoiceId("acme", 0), null, 3));

        assertThat(inserted.id().tenant()).isEqualTo("acme");
        assertThat(inserted.id().number()).isPositive();
        assertThat(template.findById(inserted.id(), Invoice.class)).isEqualTo(inserted);
    }

    @Test
    void idThatHoldsZeroIsFilledAndInsertedBySave() {
        Invoice saved = template.save(new Invoice(new InvoiceId("acme", 0), null, 3));

        assertThat(template.findById(saved.id(), Invoice.class)).isEqualTo(saved);
    }

    @Test
    void callbackCreatesAnIdWithOtherParts() {
        Invoice saved = template.save(new Invoice(null, null, 42));

        assertThat(saved.id().tenant()).isEqualTo("acme");
        assertThat(saved.id().number()).isPositive();
        assertThat(saved.reference()).isPositive();
        assertThat(template.findById(saved.id(), Invoice.class)).isEqualTo(saved);
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class Callbacks {

        @Bean
        BeforeConvertCallback<Invoice> createsIds() {
            return invoice -> invoice.id() == null && invoice.amount() == 42
                    ? new Invoice(new InvoiceId("acme", 0), invoice.reference(), 42)
                    : invoice;
        }
    }

    @Test
    void nullIdWithOtherPartsIsRejectedByTheDatabase() {
        assertThatThrownBy(() -> template.save(new Invoice(null, null, 3)))
                .hasStackTraceContaining("NULL not allowed for column \"TENANT\"");
    }

    record Contract(
            @Id @Embedded(onEmpty = USE_NULL) CrateId id,
            @Version Long version,
            String text) {}

    @Test
    void versionDecidesWhetherAnObjectIsNew() {
        Contract saved = template.save(new Contract(null, null, "rent"));
        Contract ofEmpty = template.save(new Contract(new CrateId(null), null, "loan"));

        assertThat(template.findById(saved.id(), Contract.class)).isEqualTo(saved);
        assertThat(template.findById(ofEmpty.id(), Contract.class)).isEqualTo(ofEmpty);
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> template.save(new Contract(null, 7L, "lost")));
        assertThatExceptionOfType(OptimisticLockingFailureException.class)
                .isThrownBy(() -> template.save(new Contract(new CrateId(null), 7L, "lost")));
    }

    static class Voucher implements Persistable<CrateId> {

        @Id
        @Embedded(onEmpty = USE_NULL)
        CrateId id;

        String text;

        @Transient
        boolean fresh;

        @Override
        public CrateId getId() {
            return id;
        }

        @Override
        public boolean isNew() {
            return fresh;
        }
    }

    @Test
    void objectThatSaysItselfWhetherItIsNewIsFilledAndInserted() {
        Voucher voucher = new Voucher();
        voucher.text = "tea";
        voucher.fresh = true;
        template.save(voucher);
        Voucher ofEmpty = new Voucher();
        ofEmpty.id = new CrateId(null);
        ofEmpty.text = "cups";
        ofEmpty.fresh = true;
        template.save(ofEmpty);

        assertThat(template.findById(voucher.id, Voucher.class).text).isEqualTo("tea");
        assertThat(template.findById(ofEmpty.id, Voucher.class).text).isEqualTo("cups");

        Voucher old = new Voucher();
        old.text = "lost";
        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(() -> template.save(old));
    }

    record Shipment(@Id @Embedded(onEmpty = USE_NULL) CrateId id, String customer, List<Stop> stops) {}

    record Stop(@Id @Embedded(onEmpty = USE_NULL) CrateId id, String city) {}

    @Test
    void everyLevelOfAnAggregateGetsIds() {
        Shipment saved = template.save(
                new Shipment(null, "Ada", List.of(new Stop(null, "London"), new Stop(new CrateId(null), "Turin"))));

        assertThat(saved.stops())
                .extracting(stop -> stop.id().value())
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(template.findById(saved.id(), Shipment.class)).isEqualTo(saved);

        Shipment changed = template.save(
                new Shipment(saved.id(), "Ada Lovelace", List.of(saved.stops().get(1), new Stop(null, "Paris"))));

        assertThat(changed.stops().get(0)).isEqualTo(saved.stops().get(1));
        assertThat(template.findById(saved.id(), Shipment.class)).isEqualTo(changed);
    }

    /** The annotation for embedding is optional. */
    record Ferry(@Id CrateId id, String name) {}

    @Test
    void idThatIsEmbeddedWithoutAnAnnotationIsFilledAndInserted() {
        Ferry saved = template.save(new Ferry(null, "Ada"));

        assertThat(template.findById(saved.id(), Ferry.class)).isEqualTo(saved);
    }
}
