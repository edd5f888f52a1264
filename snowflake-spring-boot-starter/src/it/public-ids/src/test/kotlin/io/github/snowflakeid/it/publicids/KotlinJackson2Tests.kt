package io.github.snowflakeid.it.publicids

import com.fasterxml.jackson.databind.Module
import com.fasterxml.jackson.databind.json.JsonMapper
import com.fasterxml.jackson.module.kotlin.kotlinModule
import io.github.snowflakeid.json.jackson2.SnowflakeJackson2AutoConfiguration

class KotlinJackson2Tests : KotlinContract() {

    private val mapper: JsonMapper = JsonMapper.builder()
        .addModules(kotlinModule(), module(SnowflakeJackson2AutoConfiguration::class.java, Module::class.java))
        .build()

    override fun write(value: Any): String = mapper.writeValueAsString(value)

    override fun <T> read(json: String, type: Class<T>): T = mapper.readValue(json, type)
}
