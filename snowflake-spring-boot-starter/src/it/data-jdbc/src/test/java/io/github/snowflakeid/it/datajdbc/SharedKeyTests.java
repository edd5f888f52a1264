package io.github.snowflakeid.it.datajdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.data.relational.core.mapping.Embedded.OnEmpty.USE_NULL;

import io.github.snowflakeid.SnowflakeId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.MappedCollection;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.jdbc.core.JdbcTemplate;

/** Objects whose ID is in the column that refers to their parent. */
@SpringBootTest(properties = "spring.datasource.url=jdbc:h2:mem:shared-keys")
class SharedKeyTests {

    @Autowired
    private JdbcAggregateTemplate template;

    @Autowired
    private JdbcTemplate jdbc;

    @Table("MANUAL")
    record Manual(@Id @SnowflakeId @Column("SET_ID") Long id, String text) {}

    @Table("LEGO_SET")
    record Box(
            @Id @SnowflakeId Long id,
            String name,
            @Column("SET_ID") Manual manual) {}

    @Test
    void childTakesTheIdOfItsParent() {
        Box saved = template.save(new Box(null, "car", new Manual(null, "read me")));

        assertThat(saved.manual().id()).isEqualTo(saved.id());
        assertThat(template.findById(saved.id(), Box.class)).isEqualTo(saved);
        Box again = template.save(new Box(saved.id(), "truck", saved.manual()));
        assertThat(template.findById(saved.id(), Box.class)).isEqualTo(again);
    }

    @Test
    void childThatIsCopiedToAnotherParentTakesItsId() {
        Box first = template.save(new Box(null, "car", new Manual(null, "read me")));
        Box second = template.save(new Box(null, "truck", first.manual()));

        assertThat(template.findById(first.id(), Box.class)).isEqualTo(first);
        assertThat(template.findById(second.id(), Box.class).manual()).isEqualTo(new Manual(second.id(), "read me"));
    }

    @Table("MANUAL")
    static class Leaflet {

        @Id
        @SnowflakeId
        @Column("SET_ID")
        long id;

        String text = "read me";
    }

    @Table("LEGO_SET")
    static class Kit {

        @Id
        @SnowflakeId
        Number id;

        String name = "car";

        @MappedCollection(idColumn = "SET_ID")
        Leaflet leaflet = new Leaflet();

        record Number(Long value) {}
    }

    @Test
    void childThatCanBeChangedTakesATypedId() {
        Kit kit = new Kit();
        template.save(kit);
        template.save(kit);

        assertThat(kit.leaflet.id).isEqualTo(kit.id.value());
        assertThat(template.findById(kit.id, Kit.class).leaflet.id).isEqualTo(kit.id.value());
    }

    record Papers(@Column("SET_ID") Manual manual) {}

    @Table("LEGO_SET")
    record Bag(
            @Id @SnowflakeId Long id,
            String name,
            @Embedded(onEmpty = USE_NULL) Papers papers) {}

    @Test
    void childOfAnEmbeddedObjectTakesTheIdOfTheRow() {
        Bag saved = template.save(new Bag(null, "car", new Papers(new Manual(null, "read me"))));

        assertThat(template.findById(saved.id(), Bag.class)).isEqualTo(saved);
    }

    @Table("LEGO_SET")
    record Counted(
            @Id Long id, String name, @Column("SET_ID") Manual manual) {}

    @Test
    void childTakesAnIdThatTheDatabaseGenerates() {
        List<Counted> saved = template.saveAll(List.of(
                new Counted(null, "car", new Manual(null, "read me")),
                new Counted(null, "truck", new Manual(null, "read me"))));

        assertThat(saved).allSatisfy(each -> {
            assertThat(each.manual().id()).isEqualTo(each.id());
            assertThat(template.findById(each.id(), Counted.class)).isEqualTo(each);
        });
        assertThat(jdbc.queryForObject(
                        "select count(*) from manual where set_id not in (select id from lego_set)", Integer.class))
                .isZero();
    }
}
