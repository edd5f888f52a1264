package io.github.snowflakeid.it.kotlin

import io.github.snowflakeid.SnowflakeId
import io.github.snowflakeid.it.publicids.DataId
import io.github.snowflakeid.it.publicids.ValueId
import io.github.snowflakeid.json.IdAsString
import io.github.snowflakeid.publicid.PublicId
import io.github.snowflakeid.publicid.web.SnowflakeSerializationAutoConfiguration
import io.github.snowflakeid.publicid.web.SnowflakeWebMvcAutoConfiguration
import io.github.snowflakeid.text.PublicIds
import kotlin.reflect.KClass
import kotlinx.serialization.Serializable
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.http.ResponseEntity
import org.springframework.mock.web.MockServletContext
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post
import org.springframework.test.web.servlet.setup.MockMvcBuilders
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestBody
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext
import org.springframework.web.servlet.config.annotation.EnableWebMvc

/** Not in the package of the shop, which scans for controllers. */
@EnableWebMvc
class KotlinMvc

@RestController
class TakingValueClass {

    @GetMapping("/{id}")
    fun get(@PathVariable id: ValueId): String = id.toString()
}

@RestController
class ReturningValueClass {

    @GetMapping("/")
    fun get(): ValueId = ValueId(7)
}

@JvmInline
value class Other(val value: Int)

@RestController
class TakingDataClass {

    @GetMapping("/{id}/{other}")
    fun get(@PathVariable id: DataId, @PathVariable other: Other): String = id.value.toString() + other
}

@Serializable
data class View(@PublicId("order") val id: Long)

@Serializable
@JvmInline
@PublicId("order")
value class SerializableId(val value: Long)

@Serializable
data class OfValueClass(val id: SerializableId)

@Serializable
data class Text(@IdAsString val id: Long)

@Serializable
data class Typed(val id: PlainDataId)

@Serializable
@SnowflakeId
data class PlainDataId(val value: Long)

@Serializable
sealed class Shape {

    @Serializable
    data class Circle(@PublicId("order") val id: Long) : Shape()
}

@Serializable
data class WithoutId(val value: Long)

@RestController
class Bodies {

    @GetMapping("/view")
    fun view() = View(7)

    @GetMapping("/value-class")
    fun valueClass() = OfValueClass(SerializableId(7))

    @GetMapping("/text")
    fun text() = ResponseEntity.ok(Text(7))

    @GetMapping("/typed")
    fun typed() = Typed(PlainDataId(7))

    @GetMapping("/without-id")
    fun withoutId() = WithoutId(7)

    @GetMapping("/list")
    fun list() = listOf(View(7))

    @GetMapping("/shape")
    fun shape(): Shape = Shape.Circle(7)

    @PostMapping("/")
    fun post(@RequestBody view: View) = view.toString()
}

class KotlinWebTests {

    private val publicIds = PublicIds.of(PublicIds.Key.of("a", "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU="))

    private fun context(controller: KClass<*>) = AnnotationConfigWebApplicationContext().apply {
        servletContext = MockServletContext()
        register(KotlinMvc::class.java, SnowflakeWebMvcAutoConfiguration::class.java, SnowflakeSerializationAutoConfiguration::class.java, controller.java)
        addBeanFactoryPostProcessor { it.registerSingleton("publicIds", publicIds) }
    }

    /** The controller would accept and return the plain number. */
    @Test
    fun valueClassInControllerFailsStartup() {
        for (controller in listOf(TakingValueClass::class, ReturningValueClass::class)) {
            assertThatThrownBy { context(controller).refresh() }
                .rootCause()
                .hasMessageStartingWith("@PublicId(\"order\") of ")
                .hasMessageEndingWith("is on value class ${ValueId::class.java.name}, which Spring treats as the number that it wraps: use a data class instead.")
        }
    }

    @Test
    fun dataClassIsPublicInController() {
        val context = context(TakingDataClass::class)
        context.refresh()
        val mvc = MockMvcBuilders.webAppContextSetup(context).build()

        assertThat(mvc.perform(get("/" + publicIds.encode("order", 7) + "/8")).andReturn().response.contentAsString).isEqualTo("7Other(value=8)")
        assertThat(mvc.perform(get("/7/8")).andReturn().response.status).isEqualTo(404)
    }

    /** kotlinx.serialization would write and accept the number. */
    @Test
    fun serializableClassWithIdsFails() {
        val context = context(Bodies::class)
        context.refresh()
        val mvc = MockMvcBuilders.webAppContextSetup(context).build()

        for (path in listOf("/view", "/value-class", "/text", "/typed", "/list", "/shape")) {
            assertThatThrownBy({ mvc.perform(get(path).accept("application/json")) }, path).rootCause().hasMessageStartingWith("kotlinx.serialization would ignore @")
        }
        assertThatThrownBy { mvc.perform(post("/").contentType("application/json").content("""{"id":7}""")) }
            .rootCause()
            .hasMessage("kotlinx.serialization would ignore @PublicId(\"order\") in ${View::class.java.name}.")
        assertThat(mvc.perform(get("/without-id").accept("application/json")).andReturn().response.contentAsString).isEqualTo("""{"value":7}""")
    }
}
