package io.github.snowflakeid.it.publicids

import io.github.snowflakeid.SnowflakeId
import io.github.snowflakeid.json.IdAsString
import io.github.snowflakeid.publicid.PublicId
import io.github.snowflakeid.text.PublicIds
import java.util.function.Supplier
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.context.annotation.AnnotationConfigApplicationContext

@JvmInline
@PublicId("order")
value class ValueId(val value: Long)

@PublicId("order")
data class DataId(val value: Long)

@JvmInline
@IdAsString
value class PlainValueId(val value: Long)

@SnowflakeId
data class PlainDataId(val value: String)

data class Label(val value: PlainValueId, val data: PlainDataId)

data class Parcel(val value: ValueId, val data: DataId, val maybe: ValueId?, val list: List<ValueId>, val map: Map<ValueId, DataId>)

class Basket @JvmOverloads constructor(@PublicId("order") val id: Long = 5, val customer: String = "nobody", val count: Int = 1)

class Crate(@PublicId("order") val id: Long, val count: Int = 3) {
    constructor(id: Long) : this(id, 2)
}

@JvmInline
value class Bare(val value: Long)

@JvmInline
value class Misplaced(@PublicId("order") val value: Long)

open class Base(@PublicId("order") open val id: Long)

class Inheriting(id: Long) : Base(id)

class Overriding(override val id: Long) : Base(id)

interface HasId {
    @get:PublicId("order")
    val id: Long
}

class Implementing(override val id: Long) : HasId

class OnParameter(@PublicId("order") val id: Bare)

class OnField(@field:PublicId("order") val id: Bare)

class OnGetter(@get:PublicId("order") val id: Bare)

class OfNullable(@PublicId("order") val id: Bare?)

class OfUnsigned(@PublicId("order") val id: ULong)

data class OfText(@IdAsString val id: Bare)

class OfMisplaced(val id: Misplaced)

/** Kotlin types that wrap an ID are written as that ID. */
abstract class KotlinContract {

    val publicIds: PublicIds = PublicIds.of(PublicIds.Key.of("a", "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU="))

    abstract fun write(value: Any): String

    abstract fun <T> read(json: String, type: Class<T>): T

    fun <M : Any> module(autoConfiguration: Class<*>, type: Class<M>): M {
        val context = AnnotationConfigApplicationContext()
        context.registerBean(PublicIds::class.java, Supplier { publicIds })
        context.register(autoConfiguration)
        context.refresh()
        return context.getBean(type)
    }

    @Test
    fun plainValueClassesAndDataClassesAreTheirIds() {
        val label = Label(PlainValueId(7), PlainDataId("x"))

        assertThat(write(label)).isEqualTo("""{"value":"7","data":"x"}""")
        assertThat(read("""{"value":"7","data":"x"}""", Label::class.java)).isEqualTo(label)
        assertThat(read("""{"value":7,"data":"x"}""", Label::class.java)).isEqualTo(label)
    }

    /** A constructor with only the number is not called, and default arguments are kept. */
    @Test
    fun defaultArgumentsAreUsed() {
        val order = publicIds.encode("order", 7)

        val basket = read("""{"id":"$order"}""", Basket::class.java)
        val crate = read("""{"id":"$order"}""", Crate::class.java)

        assertThat(listOf(basket.id, basket.customer, basket.count)).isEqualTo(listOf<Any>(7L, "nobody", 1))
        assertThat(listOf(crate.id, crate.count)).isEqualTo(listOf<Any>(7L, 3))
        for (type in listOf(Basket::class.java, Crate::class.java)) {
            assertThatThrownBy { read("7", type) }.hasMessageStartingWith("Cannot")
        }
    }

    /** Wherever the annotation is: at another element than the one that Jackson reads, or at one of a superclass. */
    @Test
    fun annotationMayBeOnAnyElementOfAnAttribute() {
        val json = """{"id":"${publicIds.encode("order", 7)}"}"""

        for (value in listOf(
            Inheriting(7), Overriding(7), Implementing(7), OnParameter(Bare(7)), OnField(Bare(7)), OnGetter(Bare(7)), OfNullable(Bare(7)), OfUnsigned(7uL)
        )) {
            assertThat(write(value)).describedAs(value.javaClass.name).isEqualTo(json)
            assertThat(write(read(json, value.javaClass))).isEqualTo(json)
            assertThatThrownBy { read("""{"id":7}""", value.javaClass) }.hasMessageContaining("Cannot deserialize")
        }
        assertThat(write(OfText(Bare(7)))).isEqualTo("""{"id":"7"}""")
        assertThat(read("""{"id":"7"}""", OfText::class.java)).isEqualTo(OfText(Bare(7)))
    }

    @Test
    fun annotationOnTheAttributeOfAValueClassIsAnError() {
        assertThatThrownBy { write(OfMisplaced(Misplaced(7))) }.hasMessageContaining("is combined with a value class")
        assertThatThrownBy { read("""{"id":7}""", OfMisplaced::class.java) }.hasMessageContaining("is combined with a value class")
    }

    @Test
    fun valueClassesAndDataClassesAreTheirIds() {
        val id = ValueId(7)
        val parcel = Parcel(id, DataId(7), id, listOf(id), mapOf(id to DataId(7)))
        val json = """{"value":"x","data":"x","maybe":"x","list":["x"],"map":{"x":"x"}}"""
            .replace("\"x\"", "\"${publicIds.encode("order", 7)}\"")

        assertThat(write(parcel)).isEqualTo(json)
        assertThat(read(json, Parcel::class.java)).isEqualTo(parcel)
        for (attribute in listOf("value", "data", "maybe", "list", "map")) {
            val bad = json.replaceFirst(Regex("\"$attribute\":([\\[{]?)\"[^\"]+\""), "\"$attribute\":$1" + if (attribute == "map") "\"7\"" else "7")
            assertThatThrownBy { read(bad, Parcel::class.java) }.describedAs(bad).hasMessageContaining("Cannot deserialize")
        }
    }
}
