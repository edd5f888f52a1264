package io.github.snowflakeid.it.jooq;

import io.github.snowflakeid.IdGenerator;
import java.util.function.Consumer;
import org.jooq.RecordContext;
import org.jooq.RecordListener;
import org.jooq.UpdatableRecord;
import org.springframework.boot.jooq.autoconfigure.DefaultConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Each record whose key is one BIGINT gets an ID when it is inserted or merged without one. */
@Configuration(proxyBeanMethods = false)
class RecordIds {

    @Bean
    DefaultConfigurationCustomizer idsForRecords(IdGenerator ids) {
        Consumer<RecordContext> setId = context -> {
            if (context.record() instanceof UpdatableRecord<?> row
                    && row.key().size() == 1
                    && row.key().field(0).getType() == Long.class
                    && row.key().get(0) == null) {
                row.set(row.key().field(0, Long.class), ids.nextId());
            }
        };
        return configuration -> configuration.setRecordListener(
                RecordListener.onInsertStart(setId).onMergeStart(setId));
    }
}
