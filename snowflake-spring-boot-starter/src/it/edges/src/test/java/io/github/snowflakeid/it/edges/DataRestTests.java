package io.github.snowflakeid.it.edges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.publicid.PublicId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.FilterType;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.data.repository.query.Param;

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

    @Entity
    public static class Sender {

        @Id
        @SnowflakeId
        Long id;

        @PublicId("postcard")
        Long last;

        BarrelId barrel;
    }

    public interface SendersOfNumber extends JpaRepository<Sender, Long> {

        List<Sender> findByLast(@Param("last") @PublicId("postcard") Long last);
    }

    @EnableJpaRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = SendersOfNumber.class))
    static class SearchByNumber {}

    public interface SendersOfType extends JpaRepository<Sender, Long> {

        List<Sender> findByBarrel(@Param("barrel") BarrelId barrel);
    }

    @EnableJpaRepositories(
            considerNestedRepositories = true,
            includeFilters = @Filter(type = FilterType.ASSIGNABLE_TYPE, classes = SendersOfType.class))
    static class SearchByType {}

    @ParameterizedTest
    @ValueSource(classes = {OfNumber.class, OfType.class, SearchByNumber.class, SearchByType.class})
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
