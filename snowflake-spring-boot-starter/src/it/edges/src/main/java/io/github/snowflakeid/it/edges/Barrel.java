package io.github.snowflakeid.it.edges;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.Objects;

/** A row with a typed ID. */
@Entity
public class Barrel {

    @Id
    @SnowflakeId
    private BarrelId id;

    private String place;

    public BarrelId getId() {
        return Objects.requireNonNull(id);
    }

    public String getPlace() {
        return place;
    }

    public void setPlace(String place) {
        this.place = place;
    }
}
