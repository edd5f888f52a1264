package io.github.snowflakeid.it.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** Ids that an {@code orm.xml} maps, completely or instead of annotations. */
class XmlMappingTests {

    private static final String ID = """
            <attributes>
                <id name="number"><generated-value generator="snowflake:orders"/></id>
            </attributes>
            """;

    private final RowSaver rows = new RowSaver();

    @Test
    void refusesANameThatIsNotDefined() {
        assertRefused(entity(Plain.class, ID), Plain.class);
        assertRefused(entity(Plain.class, ID.replace("generator=", "strategy=\"AUTO\" generator=")), Plain.class);
        assertRefused(entity(WithGetter.class, ID).replace("FIELD", "PROPERTY"), WithGetter.class);
    }

    @Test
    void refusesANameThatIsNotDefinedInsteadOfAnAnnotation() {
        assertRefused(entity(Annotated.class, ID), Annotated.class);
        assertRefused(
                entity(Annotated.class, ID).replace("access=", "metadata-complete=\"true\" access="), Annotated.class);
    }

    @Test
    void refusesANameThatIsNotDefinedOfWhatIsInherited() {
        assertRefused("""
                <mapped-superclass class="%s" access="FIELD">%s</mapped-superclass>
                """.formatted(Plain.class.getName(), ID) + entity(Inheriting.class, ""), Inheriting.class);
    }

    @Test
    void refusesANameThatIsNotDefinedOfAPartOfAnId() {
        assertRefused(
                entity(OfIdClass.class, """
                        <id-class class="%s"/>
                        <attributes>
                            <id name="number"><generated-value generator="snowflake:orders"/></id>
                            <id name="region"/>
                        </attributes>
                        """.formatted(CompositeIds.PrimitiveClass.class.getName())), OfIdClass.class);
    }

    @Test
    void refusesAnAnnotationThatNoXmlReplaces() {
        assertThatThrownBy(() -> rows.save(
                        mapping(entity(Plain.class, ID.replace("snowflake:orders", "snowflake")), Undefined.class),
                        1,
                        Undefined::new))
                .hasMessageStartingWith(
                        "Attribute 'number' of %s is to get ids of generator 'snowflake:orders'",
                        Undefined.class.getName());
    }

    @Test
    void takesWhatReplacesAnAnnotation() {
        assertThat(rows.save(
                        mapping(entity(Undefined.class, ID.replace("snowflake:orders", "snowflake")), Undefined.class),
                        1,
                        Undefined::new))
                .extracting(row -> row.number)
                .containsExactly(101L);
        assertThat(rows.save(
                        mapping(
                                entity(Undefined.class, ID.replace("generator=", "strategy=\"SEQUENCE\" generator=")),
                                Undefined.class),
                        1,
                        Undefined::new))
                .extracting(row -> row.number)
                .containsExactly(1L);
    }

    @Test
    void leavesDefinedGeneratorsAlone() {
        String id = ID.replace("snowflake:orders", "snowflake_orders");
        String sequence = "<sequence-generator name=\"snowflake_orders\" allocation-size=\"1\"/>";
        String table = "<table-generator name=\"snowflake_orders\" allocation-size=\"1\"/>";
        for (String definition : List.of(sequence, table)) {
            assertGenerates(definition + entity(Plain.class, id));
            assertGenerates(entity(Plain.class, definition + id));
            assertGenerates(entity(Plain.class, id.replace("</id>", definition + "</id>")));
        }
    }

    @Test
    void leavesWhatAnotherEntityDefinesAlone() {
        String id = ID.replace("snowflake:orders", "snowflake_orders");
        String definition = "<sequence-generator name=\"snowflake_orders\"/>";

        assertGenerates(entity(Plain.class, id) + entity(WithGetter.class, definition + id));
    }

    @Test
    void leavesASequenceByStrategyAlone() {
        assertGenerates(entity(Plain.class, ID.replace("generator=", "strategy=\"SEQUENCE\" generator=")));
    }

    /** Also where Hibernate looks for definitions everywhere, as Jakarta Persistence demands. */
    private void assertGenerates(String mapping) {
        for (boolean everywhere : new boolean[] {false, true}) {
            assertThat(rows.save(
                            mapping(mapping)
                                    .andThen(configuration -> configuration.setProperty(
                                            "hibernate.jpa.compliance.global_id_generators",
                                            Boolean.toString(everywhere))),
                            1,
                            Plain::new))
                    .extracting(row -> row.number)
                    .containsExactly(1L);
        }
    }

    private void assertRefused(String mapping, Class<?> entity) {
        assertThatThrownBy(() -> rows.save(mapping(mapping, Annotated.class), 1, Object::new))
                .hasMessage(
                        "Attribute 'number' of %s is to get ids of generator 'snowflake:orders', which is not defined, so that Hibernate would take them from a sequence; the Snowflake ids are those of generator 'snowflake'",
                        entity.getName())
                .hasToString("""
                        io.github.snowflakeid.internal.failure.ConfigurationException: Attribute 'number' of %s is to get ids of generator 'snowflake:orders', which is not defined, so that Hibernate would take them from a sequence; the Snowflake ids are those of generator 'snowflake'.

                        Correct the name in the XML that maps it:

                        <id name="number">
                            <generated-value generator="snowflake"/>
                        </id>

                        or, if a sequence is meant, say so:

                        <id name="number">
                            <generated-value strategy="SEQUENCE" generator="snowflake:orders"/>
                        </id>""".formatted(entity.getName()));
    }

    private static String entity(Class<?> type, String content) {
        return "<entity class=\"%s\" access=\"FIELD\">%s</entity>".formatted(type.getName(), content);
    }

    private static Consumer<Configuration> mapping(String content, Class<?>... annotated) {
        String document = """
                <?xml version="1.0" encoding="UTF-8"?>
                <entity-mappings xmlns="https://jakarta.ee/xml/ns/persistence/orm" version="3.1">%s</entity-mappings>
                """.formatted(content);
        return RowSaver.with(annotated)
                .andThen(configuration -> configuration.addInputStream(
                        new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8))));
    }

    public static class Plain {
        Long number;
    }

    public static class WithGetter {
        private Long number;

        public Long getNumber() {
            return number;
        }

        public void setNumber(Long number) {
            this.number = number;
        }
    }

    public static class Inheriting extends Plain {
        String name;
    }

    public static class OfIdClass {
        Long number;
        String region = "eu";
    }

    @Entity(name = "Annotated")
    public static class Annotated {
        @Id
        @GeneratedValue(generator = "snowflake")
        Long number;
    }

    @Entity(name = "UndefinedRow")
    public static class Undefined {
        @Id
        @GeneratedValue(generator = "snowflake:orders")
        Long number;
    }
}
