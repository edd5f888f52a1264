package io.github.snowflakeid.data;

import io.github.snowflakeid.mapping.IdGenerators;
import java.util.OptionalLong;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Gives ids to aggregates that Spring Data JDBC saves. It is called after the decision between insert and update, so an id that is
 * set here does not change it.
 */
final class JdbcIds implements BeforeConvertCallback<Object>, SmartInitializingSingleton {

    private final AnnotatedEntities entities;

    JdbcIds(ConfigurableListableBeanFactory beans) {
        entities = new AnnotatedEntities(beans.getBeanProvider(JdbcMappingContext.class), new IdGenerators(beans));
    }

    @Override
    public void afterSingletonsInstantiated() {
        entities.check();
    }

    @Override
    public Object onBeforeConvert(Object aggregate) {
        Filling filling = new Filling(aggregate, entities);
        filling.fill(ids -> OptionalLong.of(ids.nextId()));
        return filling.saved();
    }
}
