package io.github.snowflakeid.it.jmolecules;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.IdAsString;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.io.Serializable;
import java.util.List;
import org.jmolecules.ddd.types.AggregateRoot;
import org.jmolecules.ddd.types.Association;
import org.jmolecules.ddd.types.Identifier;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/** The recipe of docs/typed-ids.md. */
@SpringBootTest(properties = {"spring.datasource.url=jdbc:h2:mem:jmolecules", "spring.jpa.hibernate.ddl-auto=create"})
class JMoleculesTests {

    interface Guests extends JpaRepository<Guest, GuestId> {}

    interface Bookings extends JpaRepository<Booking, BookingId> {

        List<Booking> findByGuest(Association<Guest, GuestId> guest);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableJpaRepositories(considerNestedRepositories = true)
    @Import(Json.class)
    static class Hotel {}

    @Autowired
    private Guests guests;

    @Autowired
    private Bookings bookings;

    @Autowired
    private Json json;

    @Test
    void identifiersAreGeneratedAndFound() {
        Guest guest = guests.save(new Guest());
        Booking booking = new Booking();
        booking.guest = Association.forAggregate(guest);
        booking = bookings.save(booking);

        assertThat(guest.id.id()).isPositive();
        assertThat(bookings.findById(booking.id).orElseThrow().guest.pointsTo(guest))
                .isTrue();
        assertThat(bookings.findByGuest(Association.forAggregate(guest)))
                .extracting(Booking::getId)
                .containsExactly(booking.id);
    }

    @IdAsString
    record RoomId(Long id) implements Identifier {}

    static class Room implements AggregateRoot<Room, RoomId> {

        @Override
        public RoomId getId() {
            throw new UnsupportedOperationException();
        }
    }

    record BookingView(
            BookingId id, RoomId room, Association<Guest, GuestId> guest, Association<Room, RoomId> previous) {}

    /** The Jackson module of jMolecules alone would write each of them as a number. */
    @Test
    void identifiersAndAssociationsAreInJson() throws Exception {
        BookingView view = new BookingView(
                new BookingId(1L),
                new RoomId(2L),
                Association.forId(new GuestId(3L)),
                Association.forId(new RoomId(4L)));
        String written = json.write(view);

        assertThat(written).isEqualTo("{\"id\":1,\"room\":\"2\",\"guest\":3,\"previous\":\"4\"}");
        BookingView read = json.read(written, BookingView.class);
        assertThat(read.id()).isEqualTo(view.id());
        assertThat(read.room()).isEqualTo(view.room());
        assertThat(read.guest().getId()).isEqualTo(new GuestId(3L));
        assertThat(read.previous().getId()).isEqualTo(new RoomId(4L));
    }
}

@SnowflakeId
record GuestId(Long id) implements Identifier, Serializable {}

@SnowflakeId
record BookingId(Long id) implements Identifier {}

@Entity
class Guest implements AggregateRoot<Guest, GuestId> {

    @Id
    GuestId id;

    @Override
    public GuestId getId() {
        return id;
    }
}

@Entity
class Booking implements AggregateRoot<Booking, BookingId> {

    @Id
    BookingId id;

    Association<Guest, GuestId> guest;

    @Override
    public BookingId getId() {
        return id;
    }
}

@Converter(autoApply = true)
class ToGuest implements AttributeConverter<Association<Guest, GuestId>, Long> {

    @Override
    public Long convertToDatabaseColumn(Association<Guest, GuestId> guest) {
        return guest == null ? null : guest.getId().id();
    }

    @Override
    public Association<Guest, GuestId> convertToEntityAttribute(Long id) {
        return id == null ? null : Association.forId(new GuestId(id));
    }
}
