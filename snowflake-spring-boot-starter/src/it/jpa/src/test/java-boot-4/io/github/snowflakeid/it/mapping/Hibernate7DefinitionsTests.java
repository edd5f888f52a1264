package io.github.snowflakeid.it.mapping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.junit.jupiter.api.Test;

/** Definitions of generators that exist since Hibernate 7. */
class Hibernate7DefinitionsTests {

    private final RowSaver rows = new RowSaver();

    @Test
    void leavesASequenceWithoutANameAlone() {
        assertThat(rows.save(RowSaver.with(Unnamed.class), 1, Unnamed::new))
                .extracting(row -> row.number)
                .containsExactly(1L);
        assertThatThrownBy(() -> rows.save(RowSaver.with(Unnamed.class, MappingTests.Undefined.class), 1, Unnamed::new))
                .hasMessageStartingWith(
                        "Attribute 'number' of %s is to get ids of generator 'snowflake:orders'",
                        MappingTests.Undefined.class.getName());
    }

    @Test
    void leavesAGenericGeneratorInXmlAlone() {
        String document = """
                <?xml version="1.0" encoding="UTF-8"?>
                <entity-mappings xmlns="http://www.hibernate.org/xsd/orm/mapping" version="7.0">
                    <generic-generator name="snowflake_own" class="%s"/>
                    <entity class="%s" access="FIELD">
                        <attributes>
                            <id name="number"><generated-value generator="snowflake_own"/></id>
                        </attributes>
                    </entity>
                </entity-mappings>
                """.formatted(SequenceStyleGenerator.class.getName(), XmlMappingTests.Plain.class.getName());

        assertThat(rows.save(
                        configuration -> configuration.addInputStream(
                                new ByteArrayInputStream(document.getBytes(StandardCharsets.UTF_8))),
                        1,
                        XmlMappingTests.Plain::new))
                .extracting(row -> row.number)
                .containsExactly(1L);
    }

    @Entity(name = "UnnamedSequence")
    public static class Unnamed {
        @Id
        @GeneratedValue(generator = "snowflake_rows")
        @SequenceGenerator(allocationSize = 1)
        Long number;
    }
}
