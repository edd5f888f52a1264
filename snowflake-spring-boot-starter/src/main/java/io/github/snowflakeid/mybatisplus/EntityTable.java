package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.annotation.FieldStrategy;
import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.metadata.TableFieldInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import java.util.Map;

/**
 * How MyBatis-Plus inserts an entity.
 *
 * @param table what it knows of it
 * @param members the annotated attributes of the entity
 */
record EntityTable(TableInfo table, Map<String, SnowflakeIdMember> members) {

    /** @throws ConfigurationException if an id would not get into the table */
    void check() {
        members.forEach((attribute, member) -> {
            if (attribute.equals(table.getKeyProperty())) {
                if (table.getIdType() == IdType.AUTO) {
                    throw madeByTheDatabase(attribute, member);
                }
            } else if (!isInserted(attribute)) {
                throw notInserted(attribute, member);
            }
        });
    }

    private boolean isInserted(String attribute) {
        for (TableFieldInfo field : table.getFieldList()) {
            if (field.getProperty().equals(attribute)) {
                return field.getInsertStrategy() != FieldStrategy.NEVER || field.isWithInsertFill();
            }
        }
        return false;
    }

    private ConfigurationException madeByTheDatabase(String attribute, SnowflakeIdMember member) {
        return Problem.TWO_ORIGINS.exception(
                "Attribute '%s' of %s is to get Snowflake ids, but MyBatis-Plus leaves it to the database, by IdType.AUTO"
                        .formatted(attribute, table.getEntityType().getName()),
                """
                Let MyBatis-Plus insert it:

                %s
                @TableId(type = IdType.ASSIGN_ID)
                private Long %s;""".formatted(member.written(), attribute));
    }

    private ConfigurationException notInserted(String attribute, SnowflakeIdMember member) {
        return Problem.ATTRIBUTE_NOT_INSERTED.exception(
                "Attribute '%s' of %s would stay without a Snowflake id: MyBatis-Plus does not insert it"
                        .formatted(attribute, table.getEntityType().getName()),
                """
                Let MyBatis-Plus insert it, by a field that is neither static, transient nor excluded:

                %s
                @TableField(insertStrategy = FieldStrategy.ALWAYS)
                private Long %s;

                or remove %s.""".formatted(member.written(), attribute, member.written()));
    }
}
