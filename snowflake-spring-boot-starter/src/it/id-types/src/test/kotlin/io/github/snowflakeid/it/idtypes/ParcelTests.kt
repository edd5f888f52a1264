package io.github.snowflakeid.it.idtypes

import io.github.snowflakeid.SnowflakeId
import jakarta.persistence.Entity
import jakarta.persistence.EntityManagerFactory
import jakarta.persistence.Id
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.test.context.TestPropertySource

@Entity
class Parcel(@Id @SnowflakeId var id: Long? = null, var place: String)

/** The entity is quoted in docs/getting-started.md. */
@JdbcTest
@TestPropertySource(properties = ["spring.jpa.hibernate.ddl-auto=create-drop"])
class ParcelTests(@Autowired private val factory: EntityManagerFactory) {

    @Test
    fun `entity gets its ID when it is persisted`() {
        val parcel = Parcel(place = "shelf 3")
        val entities = factory.createEntityManager()
        entities.transaction.begin()
        entities.persist(parcel)
        entities.transaction.commit()
        entities.clear()

        assertThat(parcel.id).isPositive()
        assertThat(entities.find(Parcel::class.java, parcel.id).place).isEqualTo("shelf 3")
        entities.close()
    }
}
