package io.github.snowflakeid.it.publicids

import io.github.snowflakeid.json.jackson3.SnowflakeJackson3AutoConfiguration
import tools.jackson.databind.JacksonModule
import tools.jackson.databind.json.JsonMapper
import tools.jackson.module.kotlin.kotlinModule

class KotlinJackson3Tests : KotlinContract() {

    private val mapper: JsonMapper = JsonMapper.builder()
        .addModules(kotlinModule(), module(SnowflakeJackson3AutoConfiguration::class.java, JacksonModule::class.java))
        .build()

    override fun write(value: Any): String = mapper.writeValueAsString(value)

    override fun <T> read(json: String, type: Class<T>): T = mapper.readValue(json, type)
}
