package io.github.snowflakeid.it.kotlin

import io.github.snowflakeid.it.publicids.DataId
import io.github.snowflakeid.it.publicids.ValueId
import io.github.snowflakeid.publicid.web.SnowflakeWebMvcAutoConfiguration
import io.github.snowflakeid.text.PublicIds
import kotlin.reflect.KClass
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.springframework.mock.web.MockServletContext
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get
import org.springframework.test.web.servlet.setup.MockMvcBuilders
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
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

class KotlinWebTests {

    private val publicIds = PublicIds.of(PublicIds.Key.of("a", "3q2+7wAAECAwQFBgcICQoLDA0ODw/x4tPEtaaXiHlqU="))

    private fun context(controller: KClass<*>) = AnnotationConfigWebApplicationContext().apply {
        servletContext = MockServletContext()
        register(KotlinMvc::class.java, SnowflakeWebMvcAutoConfiguration::class.java, controller.java)
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
}
