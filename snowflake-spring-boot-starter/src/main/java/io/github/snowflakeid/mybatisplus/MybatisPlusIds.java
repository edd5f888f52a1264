package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Generates IDs for MyBatis-Plus. It looks up the generator bean when an ID is needed. */
record MybatisPlusIds(IdGenerators generators) implements IdentifierGenerator {

    static final String NAME = IdGenerators.OURS + "identifierGenerator";

    /** @param entity the entity that gets the ID; null or any other object if {@code IdWorker} is called */
    @Override
    public Long nextId(@Nullable Object entity) {
        @Nullable TableInfo table = entity == null ? null : TableInfoHelper.getTableInfo(entity.getClass());
        if (table == null || table.getKeyType() == null) {
            return generators.get("", "of IdWorker").nextId();
        }
        String owner = table.getEntityType().getName();
        IdGenerator ids = generators.get("", "'" + table.getKeyProperty() + "' of " + owner);
        // MyBatis-Plus converts IDs to narrow types as well, and silently loses bits that do not fit.
        if (ClassUtils.isPrimitiveOrWrapper(table.getKeyType())) {
            IdType.of(table.getKeyType(), table.getKeyProperty(), owner, "@TableId")
                    .requireRoom(ids, "", table.getKeyProperty(), owner, "@TableId");
        }
        return ids.nextId();
    }
}
