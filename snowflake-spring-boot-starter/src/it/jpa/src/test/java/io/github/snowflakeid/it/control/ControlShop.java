package io.github.snowflakeid.it.control;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.stream.LongStream;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The application of the WAR without the library. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
public class ControlShop {

    @Entity
    public static class Parcel {

        @Id
        Long id;
    }

    public interface Parcels extends JpaRepository<Parcel, Long> {}

    @RestController
    static class Controller {

        private final Parcels parcels;

        Controller(Parcels parcels) {
            this.parcels = parcels;
        }

        @GetMapping("/new")
        String create() {
            Parcel parcel = new Parcel();
            parcel.id = 1L;
            return parcels.save(parcel).id.toString();
        }

        @GetMapping("/parcels/{id}")
        boolean exists(@PathVariable Long id) {
            return parcels.existsById(id);
        }

        @GetMapping("/text/{id}")
        String text(@PathVariable Long id) {
            return String.valueOf(id);
        }

        @GetMapping(value = "/ids", produces = "text/plain")
        String ids() {
            StringBuilder text = new StringBuilder();
            LongStream.range(0, 200_000).forEach(id -> text.append(id).append('\n'));
            return text.toString();
        }
    }
}
