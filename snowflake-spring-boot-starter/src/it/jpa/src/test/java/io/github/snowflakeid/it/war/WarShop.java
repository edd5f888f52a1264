package io.github.snowflakeid.it.war;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.it.control.ControlShop;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.text.PublicIdText;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;
import java.util.stream.LongStream;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that is deployed as a WAR, with a fixed worker ID for the container and a leased one. Without the
 * library, the WAR has the same pages of {@link ControlShop}.
 */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class WarShop extends SpringBootServletInitializer {

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder builder) {
        boolean library = ClassUtils.isPresent("io.github.snowflakeid.IdGenerator", WarShop.class.getClassLoader());
        return builder.sources(library ? WarShop.class : ControlShop.class)
                .properties(
                        "spring.config.name=none",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn",
                        "spring.flyway.enabled=false",
                        "spring.jpa.open-in-view=false",
                        "spring.jpa.hibernate.ddl-auto=create",
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                        "snowflake.worker.id=7",
                        "snowflake.generators.leased.worker.strategy=jdbc",
                        "snowflake.public-ids.keys[0].name=a",
                        "snowflake.public-ids.keys[0].secret=mK8sVb3xq0T5nJdYwZ4rLcE7uHfAiGpO1kSjXyMvB2Q=");
    }

    @PublicId("parcel")
    public record ParcelId(long value) {
        @Override
        public String toString() {
            return PublicIdText.of(this);
        }
    }

    @Entity
    public static class Parcel {

        @Id
        @SnowflakeId("leased")
        ParcelId id;
    }

    public interface Parcels extends JpaRepository<Parcel, ParcelId> {}

    @RestController
    static class Controller {

        private final Parcels parcels;
        private final IdGenerator ids;

        Controller(Parcels parcels, IdGenerator ids) {
            this.parcels = parcels;
            this.ids = ids;
        }

        @GetMapping("/new")
        String create() {
            return parcels.save(new Parcel()).id.toString();
        }

        @GetMapping("/parcels/{id}")
        boolean exists(@PathVariable ParcelId id) {
            return parcels.existsById(id);
        }

        @GetMapping("/text/{id}")
        String text(@PathVariable Long id) {
            return String.valueOf(id);
        }

        @GetMapping(value = "/ids", produces = "text/plain")
        String ids() {
            StringBuilder text = new StringBuilder();
            LongStream.generate(ids::nextId)
                    .limit(200_000)
                    .forEach(id -> text.append(id).append('\n'));
            return text.toString();
        }
    }
}
