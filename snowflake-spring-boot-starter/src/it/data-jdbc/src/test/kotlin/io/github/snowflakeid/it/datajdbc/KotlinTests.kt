package io.github.snowflakeid.it.datajdbc

import io.github.snowflakeid.failure.ConfigurationException

import io.github.snowflakeid.SnowflakeId
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.catchThrowableOfType
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test
import org.springframework.beans.factory.annotation.Autowired
import org.springframework.boot.test.context.SpringBootTest
import org.springframework.core.SpringVersion
import org.springframework.data.annotation.Id
import org.springframework.data.jdbc.core.JdbcAggregateTemplate
import org.springframework.data.relational.core.mapping.Embedded
import org.springframework.data.relational.core.mapping.Embedded.OnEmpty
import org.springframework.data.relational.core.mapping.Table

/** Entities as they are written in Kotlin. */
@SpringBootTest(
    classes = [DataJdbcShop::class],
    properties = ["spring.datasource.url=jdbc:h2:mem:kotlin", "spring.sql.init.schema-locations=classpath:kotlin.sql"],
)
class KotlinTests(@Autowired private val template: JdbcAggregateTemplate) {

    data class Seat(@Id @SnowflakeId val id: Long? = null, val place: String)

    data class Ticket(@Id @SnowflakeId val id: Long? = null, val title: String)

    data class Stage(@Id @SnowflakeId val id: Long = 0, val name: String)

    class Venue(val name: String) {
        @Id
        @SnowflakeId
        var id: String? = null
    }

    data class Act(@Id @SnowflakeId val id: Long? = null, val name: String)

    data class Play(@Id @SnowflakeId val id: Long? = null, val title: String, val act: List<Act>)

    data class PropId(val value: Long)

    @JvmInline value class ShelfId(val value: Long)

    @Table data class Prop(@Id @SnowflakeId val id: PropId? = null, val shelf: ShelfId? = null)

    @Table data class Shelf(@Id @SnowflakeId val id: ShelfId? = null, val name: String)

    @SnowflakeId
    data class BoxId(val number: Long)

    data class Box(@Id @Embedded(onEmpty = OnEmpty.USE_NULL) val id: BoxId? = null, val size: Int)

    class Poster(val text: String) {
        @Id
        @SnowflakeId
        val id: Long? = null
    }

    data class Leaflet(@Id @SnowflakeId val id: Long? = null) {
        var text: String? = null
    }

    @Test
    fun `data class with a nullable id is copied with its id, and updated later`() {
        val seat = Seat(place = "A 1")
        val saved = template.save(seat)
        template.save(saved.copy(place = "A 2"))

        assertThat(seat.id).isNull()
        assertThat(saved.id).isPositive()
        assertThat(template.findAll(Seat::class.java)).containsExactly(Seat(saved.id, "A 2"))
    }

    @Test
    fun `data class with a default id is saved without it`() {
        val tickets = template
        val saved = tickets.save(Ticket(title = "Hamlet"))

        assertThat(saved.id).isPositive()
    }

    @Test
    fun `zero is no id in a data class`() {
        val saved = template.save(Stage(name = "left"))

        assertThat(saved.id).isPositive()
        assertThat(template.findById(saved.id, Stage::class.java)).isEqualTo(saved)
    }

    @Test
    fun `var of a class gets an id`() {
        val saved = template.save(Venue("Globe"))

        assertThat(template.findAll(Venue::class.java).map { it.id }).doesNotContainNull().containsExactly(saved.id)
    }

    @Test
    fun `every level of an aggregate gets ids`() {
        val saved = template.save(Play(title = "Hamlet", act = listOf(Act(name = "one"), Act(name = "two"))))

        assertThat(saved.act.map { it.id } + saved.id).doesNotContainNull().doesNotHaveDuplicates()
        assertThat(template.findById(saved.id!!, Play::class.java)).isEqualTo(saved)
    }

    @Test
    fun `null id of a data class of its own is filled, where Spring Data supports that`() {
        assumeTrue(SpringVersion.getVersion()!!.startsWith("7."))

        val saved = template.save(Box(size = 3))

        assertThat(template.findById(saved.id!!, Box::class.java)).isEqualTo(saved)
    }

    @Test
    fun `data classes and value classes are typed ids`() {
        val shelf = template.save(Shelf(name = "left"))
        val prop = template.save(Prop(shelf = shelf.id))

        assertThat(shelf.id!!.value).isPositive()
        assertThat(template.findById(shelf.id!!, Shelf::class.java)).isEqualTo(shelf)
        assertThat(template.findById(prop.id!!, Prop::class.java)).isEqualTo(prop)
    }

    @Test
    fun `val that no constructor takes is refused`() {
        val refused = catchThrowableOfType(ConfigurationException::class.java) { template.save(Poster("tonight")) }

        assertThat(refused.message).isEqualTo(
            "Attribute 'id' of ${Poster::class.java.name} cannot get a Snowflake ID: it is final, and 'id' is not a constructor parameter",
        )
        assertThat(refused.action().orElseThrow()).isEqualTo("Declare the attribute without final (in Kotlin, as var), or add 'id' to the constructor.")
    }

    @Test
    fun `val of a data class whose copy would lose another attribute is refused`() {
        val refused = catchThrowableOfType(ConfigurationException::class.java) { template.save(Leaflet()) }

        assertThat(refused.message).isEqualTo(
            "Attribute 'id' of ${Leaflet::class.java.name} cannot get a Snowflake ID: it is final, and 'text' is not a constructor parameter",
        )
        assertThat(refused.action().orElseThrow()).isEqualTo(
            "Declare the attribute without final (in Kotlin, as var), or add 'text' to the constructor.",
        )
    }
}
