package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.publicid.PublicId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

public class DataRestTests {

    @Entity
    public static class Postcard {

        @Id
        @SnowflakeId
        @PublicId("postcard")
        Long id;
    }

    public interface Postcards extends JpaRepository<Postcard, Long> {}

    @EnableJpaRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Postcards.class))
    static class OfNumber {}

    @Entity
    public static class Note {

        @Id
        @SnowflakeId
        BarrelId id;
    }

    public interface Notes extends JpaRepository<Note, BarrelId> {}

    @EnableJpaRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = Notes.class))
    static class OfType {}

    @ParameterizedTest
    @ValueSource(classes = {OfNumber.class, OfType.class})
    void anExportedEntityIsRejectedAtStartup(Class<?> repositories) {
        SpringApplication application = new SpringApplication(StartupCheck.class, repositories);

        assertThatThrownBy(() -> application.run("--server.port=0", "--PUBLIC_ID_KEY=" + EdgesServer.KEY))
                .hasStackTraceContaining("Spring Data REST would use the number instead of @PublicId(");
    }

    @Test
    void anEntityThatIsNotExportedHasNoPath() throws Exception {
        assertThat(EdgesServer.get("/barrels").statusCode()).isEqualTo(404);
    }
}
