package io.github.snowflakeid.mongodb;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import java.util.NoSuchElementException;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.mongodb.core.convert.MongoCustomConversions;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback;
import org.springframework.data.mongodb.core.mapping.event.BeforeSaveCallback;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Auto-configuration that sets IDs of an {@link IdGenerator} bean in attributes with {@link SnowflakeId} of documents
 * that Spring Data MongoDB saves, blocking or reactively, and of objects that are embedded in them. It does so after
 * callbacks of the application, which may have added objects without IDs.
 *
 * @since 1.0
 */
@AutoConfiguration(
        after = SnowflakeAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.autoconfigure.data.mongo.MongoDataAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.mongo.MongoReactiveDataAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
            "org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration"
        })
@ConditionalOnClass(MongoMappingContext.class)
@ConditionalOnBean(MongoMappingContext.class)
public final class SnowflakeDataMongoAutoConfiguration {

    SnowflakeDataMongoAutoConfiguration() {}

    @Bean("snowflake.documentIds")
    @Lazy(false)
    DocumentIds snowflakeDocumentIds(ConfigurableListableBeanFactory beans) {
        return new DocumentIds(beans.getBeanProvider(MongoMappingContext.class), new IdGenerators(beans));
    }

    @Bean("snowflake.mongoIds")
    BeforeConvertCallback<Object> snowflakeMongoIds(DocumentIds documents) {
        return (document, collection) -> documents.fill(document, IdGenerator::nextId);
    }

    @Bean("snowflake.mongoReplacements")
    BeforeSaveCallback<Object> snowflakeMongoReplacements(DocumentIds documents) {
        return (document, converted, collection) -> documents.requireId(document, converted);
    }

    @Bean("snowflake.mongoMappers")
    static BeanPostProcessor snowflakeMongoMappers(ConfigurableListableBeanFactory beans) {
        IdGenerators generators = new IdGenerators(beans);
        return new BeanChange((bean, name) -> {
            if (bean instanceof MongoMappingContext) {
                generators.endAfter(name);
            }
            return bean instanceof MongoCustomConversions conversions ? new TypedIdConversions(conversions) : bean;
        });
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Mono.class)
    static class Reactive {

        /** An event loop thread never waits for an ID: if waiting is necessary, another thread waits. */
        @Bean("snowflake.reactiveMongoIds")
        ReactiveBeforeConvertCallback<Object> snowflakeReactiveMongoIds(DocumentIds documents) {
            return (document, collection) -> {
                try {
                    return Mono.just(
                            documents.fill(document, ids -> ids.tryNextId().orElseThrow()));
                } catch (NoSuchElementException e) {
                    return Mono.fromSupplier(() -> documents.fill(document, IdGenerator::nextId))
                            .subscribeOn(Schedulers.boundedElastic());
                }
            };
        }
    }
}
