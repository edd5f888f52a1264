package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.annotation.FieldStrategy;
import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import java.util.Map;

/**
 * Checks whether MyBatis-Plus inserts the annotated attributes of an entity.
 *
 * @param table the entity's mapping in MyBatis-Plus
 * @param members the annotated attributes of the entity
 */
record EntityTable(TableInfo table, Map<String, SnowflakeIdMember> members) {

    /** @throws ConfigurationException if an ID would not reach the table */
    void check() {
        members.forEach((attribute, member) -> {
            if (attribute.equals(table.getKeyProperty())) {
                if (table.getIdType() == IdType.AUTO) {
                    throw generatedByDatabase(attribute, member);
                }
            } else if (!isInserted(attribute)) {
                throw notInserted(attribute, member);
            }
        });
    }

    private boolean isInserted(String attribute) {
        return table.getFieldList().stream()
                .filter(field -> field.getProperty().equals(attribute))
                .anyMatch(field -> field.getInsertStrategy() != FieldStrategy.NEVER || field.isWithInsertFill());
    }

    private ConfigurationException generatedByDatabase(String attribute, SnowflakeIdMember member) {
        return Problem.TWO_ORIGINS.exception(
                "Attribute '%s' of %s has two sources of values: %s and, by IdType.AUTO, the database"
                        .formatted(attribute, table.getEntityType().getName(), member.written()),
                """
                Let MyBatis-Plus insert it:

                %s
                @TableId(type = IdType.ASSIGN_ID)
                private Long %s;""".formatted(member.written(), attribute));
    }

    private ConfigurationException notInserted(String attribute, SnowflakeIdMember member) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s gets no Snowflake ID: MyBatis-Plus does not insert it"
                        .formatted(attribute, table.getEntityType().getName()),
                """
                Map it to a field that is not static, transient or excluded, and insert it always:

                %s
                @TableField(insertStrategy = FieldStrategy.ALWAYS)
                private Long %s;

                or remove %s.""".formatted(member.written(), attribute, member.written()));
    }
}
