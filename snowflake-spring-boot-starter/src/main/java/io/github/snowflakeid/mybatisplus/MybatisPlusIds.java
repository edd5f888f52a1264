package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Generates IDs for MyBatis-Plus. It looks up the generator bean when an ID is needed. */
final class MybatisPlusIds implements IdentifierGenerator {

    static final String NAME = IdGenerators.OURS + "identifierGenerator";

    /**
     * Types that cannot hold every ID. MyBatis-Plus converts IDs to them as well, and silently loses bits that do not
     * fit.
     */
    private static final Set<Class<?>> TOO_NARROW = Set.of(
            Integer.class,
            int.class,
            Short.class,
            short.class,
            Byte.class,
            byte.class,
            Character.class,
            char.class,
            Boolean.class,
            boolean.class,
            Float.class,
            float.class,
            Double.class,
            double.class);

    private final IdGenerators generators;

    MybatisPlusIds(ConfigurableListableBeanFactory beans) {
        generators = new IdGenerators(beans);
    }

    /** @param entity the entity that gets the ID; null or any other object if {@code IdWorker} is called */
    @Override
    public Long nextId(@Nullable Object entity) {
        @Nullable TableInfo table = entity == null ? null : TableInfoHelper.getTableInfo(entity.getClass());
        if (table == null || table.getKeyType() == null) {
            return generators.get("", "of IdWorker").nextId();
        }
        String owner = table.getEntityType().getName();
        IdGenerator ids = generators.get("", "'" + table.getKeyProperty() + "' of " + owner);
        if (TOO_NARROW.contains(table.getKeyType())) {
            IdType.of(table.getKeyType(), table.getKeyProperty(), owner, "@TableId")
                    .requireRoom(ids, "", table.getKeyProperty(), owner, "@TableId");
        }
        return ids.nextId();
    }
}
