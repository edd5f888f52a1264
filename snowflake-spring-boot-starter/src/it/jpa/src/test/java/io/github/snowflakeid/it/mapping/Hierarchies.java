package io.github.snowflakeid.it.mapping;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SecondaryTable;
import java.util.List;

/** Entities whose annotated attributes are declared in several classes. */
final class Hierarchies {

    private Hierarchies() {}

    interface Leaf {
        List<Long> ids();
    }

    @Entity(name = "Joined")
    @Inheritance(strategy = InheritanceType.JOINED)
    public static class Joined {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        Long ofRoot;
    }

    @MappedSuperclass
    public abstract static class JoinedMiddle extends Joined {
        @SnowflakeId
        Long ofMiddle;
    }

    @Entity(name = "JoinedLeaf")
    public static class JoinedLeaf extends JoinedMiddle implements Leaf {
        @SnowflakeId
        Long ofLeaf;

        @Embedded
        Parcel parcel = new Parcel();

        @Override
        public List<Long> ids() {
            return List.of(id, ofRoot, ofMiddle, ofLeaf, parcel.tracking);
        }
    }

    @Entity(name = "Single")
    public abstract static class Single {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        Long ofRoot;
    }

    @Entity(name = "SingleLeaf")
    public static class SingleLeaf extends Single implements Leaf {
        @SnowflakeId
        Long ofLeaf;

        @Override
        public List<Long> ids() {
            return List.of(id, ofRoot, ofLeaf);
        }
    }

    @Entity(name = "PerClass")
    @Inheritance(strategy = InheritanceType.TABLE_PER_CLASS)
    public abstract static class PerClass {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        Long ofRoot;
    }

    @Entity(name = "PerClassLeaf")
    public static class PerClassLeaf extends PerClass implements Leaf {
        @SnowflakeId
        Long ofLeaf;

        @Override
        public List<Long> ids() {
            return List.of(id, ofRoot, ofLeaf);
        }
    }

    @Embeddable
    public static class GenericParcel<T> {
        @SnowflakeId
        T tracking;
    }

    @MappedSuperclass
    public abstract static class Generic<T> {
        @SnowflakeId
        T text;
    }

    @Entity(name = "SecondRow")
    @SecondaryTable(name = "another_table")
    public static class Second extends Generic<String> {
        @Id
        @SnowflakeId
        Long id;

        @SnowflakeId
        @Column(table = "another_table")
        Long number;

        @Embedded
        GenericParcel<Long> parcel = new GenericParcel<>();
    }

    @MappedSuperclass
    public abstract static class Base {
        private Long id;

        @Id
        @SnowflakeId
        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    @Entity(name = "OverridingRow")
    public static class Overriding extends Base {
        @Override
        public Long getId() {
            return super.getId();
        }
    }

    @MappedSuperclass
    public abstract static class BaseWithStrategy {
        private Long id;

        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        public Long getId() {
            return id;
        }

        public void setId(Long id) {
            this.id = id;
        }
    }

    @Entity(name = "OverridingStrategy")
    public static class OverridingStrategy extends BaseWithStrategy {
        @Override
        @SnowflakeId
        public Long getId() {
            return super.getId();
        }
    }

    @Embeddable
    public static class Parcel {
        private Long tracking;

        @SnowflakeId
        public Long getTracking() {
            return tracking;
        }

        public void setTracking(Long tracking) {
            this.tracking = tracking;
        }
    }
}
