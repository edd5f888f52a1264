package io.github.snowflakeid.it.datar2dbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.data.relational.core.mapping.Embedded.OnEmpty.USE_NULL;

import io.github.snowflakeid.SnowflakeId;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.IncorrectUpdateSemanticsDataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.repository.R2dbcRepository;
import org.springframework.data.r2dbc.repository.support.R2dbcRepositoryFactory;
import org.springframework.data.relational.core.mapping.Embedded;

/** IDs that are objects, which Spring Data R2DBC has since its version 4. */
@SpringBootTest
class R2dbcEmbeddedIdTests {

    private final R2dbcEntityTemplate template;
    private final Parcels parcels;
    private final Crates crates;

    R2dbcEmbeddedIdTests(@Autowired R2dbcEntityTemplate template) {
        this.template = template;
        R2dbcRepositoryFactory repositories = new R2dbcRepositoryFactory(template);
        parcels = repositories.getRepository(Parcels.class);
        crates = repositories.getRepository(Crates.class);
    }

    @SnowflakeId
    record ParcelId(Long number) {

        ParcelId {
            Objects.requireNonNull(number);
        }
    }

    record Parcel(@Id @Embedded(onEmpty = USE_NULL) ParcelId id, int weight) {}

    interface Parcels extends R2dbcRepository<Parcel, ParcelId> {}

    record CrateId(String tenant, @SnowflakeId long number) {}

    record Crate(@Id @Embedded(onEmpty = USE_NULL) CrateId id, String name) {}

    interface Crates extends R2dbcRepository<Crate, CrateId> {}

    @Test
    void nullIdIsFilledAndInserted() {
        Parcel saved = parcels.save(new Parcel(null, 3)).block();
        Parcel inserted = template.insert(new Parcel(null, 4)).block();

        assertThat(parcels.findById(saved.id()).block()).isEqualTo(saved);
        assertThat(parcels.findById(inserted.id()).block()).isEqualTo(inserted);
    }

    @Test
    void existingRowIsUpdated() {
        Parcel saved = parcels.save(new Parcel(null, 3)).block();

        parcels.save(new Parcel(saved.id(), 4)).block();

        assertThat(parcels.findById(saved.id()).block().weight()).isEqualTo(4);
    }

    @Test
    void annotatedPartOfAnIdIsFilledByInsert() {
        Crate inserted =
                template.insert(new Crate(new CrateId("acme", 0), "tea")).block();

        assertThat(inserted.id().number()).isPositive();
        assertThat(crates.findById(inserted.id()).block()).isEqualTo(inserted);
    }

    @Test
    void updateOfNoRowIsRejected() {
        long before = crates.count().block();

        assertNotSaved(
                () -> crates.save(new Crate(new CrateId("acme", 4711), "lost")).block());
        Crate filled = crates.save(new Crate(new CrateId("acme", 0), "tea")).block();
        assertThat(crates.findById(filled.id()).block()).isEqualTo(filled);
        crates.delete(filled).block();
        assertThat(crates.count().block()).isEqualTo(before);
    }

    private static void assertNotSaved(ThrowingCallable save) {
        assertThatExceptionOfType(IncorrectUpdateSemanticsDataAccessException.class)
                .isThrownBy(save)
                .withMessageContaining(
                        "was not saved: Spring Data updates objects whose ID is set, but there is no such row. To insert a new row, leave 'id' null so that @SnowflakeId sets it, or call R2dbcEntityTemplate.insert");
    }

    @Test
    void nullIdWithOtherPartsIsRejectedByTheDatabase() {
        assertThatThrownBy(() -> crates.save(new Crate(null, "lost")).block())
                .hasStackTraceContaining("NULL not allowed for column \"TENANT\"");
    }
}
