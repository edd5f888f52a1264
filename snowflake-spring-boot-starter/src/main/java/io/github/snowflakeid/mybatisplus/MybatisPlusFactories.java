package io.github.snowflakeid.mybatisplus;

import com.baomidou.mybatisplus.annotation.FieldStrategy;
import com.baomidou.mybatisplus.annotation.IdType;
import com.baomidou.mybatisplus.core.MybatisConfiguration;
import com.baomidou.mybatisplus.core.config.GlobalConfig;
import com.baomidou.mybatisplus.core.incrementer.DefaultIdentifierGenerator;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.metadata.TableFieldInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.internal.failure.Problem;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.ArrayList;
import java.util.List;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.SqlSessionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Prevents MyBatis-Plus from generating IDs with a worker ID that it has guessed. Without this class, it would do so in
 * a {@code SqlSessionFactory} that the application defines, because that factory does not look for an
 * {@link IdentifierGenerator} bean, and in {@code IdWorker} until a factory exists.
 */
final class MybatisPlusFactories implements BeanPostProcessor, SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final boolean isAutoConfigured;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();
    private final List<Configuration> configurations = new ArrayList<>();
    private volatile @Nullable IdentifierGenerator customized;

    MybatisPlusFactories(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
        isAutoConfigured = beans.containsLocalBean(MybatisPlusIds.NAME);
        if (isAutoConfigured) {
            IdWorker.setIdentifierGenerator(entity -> ids().nextId(entity));
        }
    }

    /**
     * @param generator the generator that customizers of the application have set, which MyBatis-Plus would replace
     *     with the bean
     */
    void keep(@Nullable IdentifierGenerator generator) {
        customized = generator;
    }

    private IdentifierGenerator ids() {
        @Nullable IdentifierGenerator ofApplication = customized;
        return ofApplication != null ? ofApplication : beans.getBean(MybatisPlusIds.NAME, IdentifierGenerator.class);
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof SqlSessionFactory factory
                && factory.getConfiguration() instanceof MybatisConfiguration configuration) {
            configurations.add(configuration);
            GlobalConfig settings = GlobalConfigUtils.getGlobalConfig(configuration);
            if (isAutoConfigured && isReplaced(settings.getIdentifierGenerator())) {
                settings.setIdentifierGenerator(ids());
                IdWorker.setIdentifierGenerator(ids());
            }
        }
        return bean;
    }

    /**
     * Whether a generator is ours or the default of MyBatis-Plus. Subclasses of the default belong to the application.
     */
    private static boolean isReplaced(@Nullable IdentifierGenerator generator) {
        return generator instanceof MybatisPlusIds
                || (generator != null && generator.getClass() == DefaultIdentifierGenerator.class);
    }

    @Override
    public void afterSingletonsInstantiated() {
        ExistingKeys existing = new ExistingKeys();
        for (TableInfo table : TableInfoHelper.getTableInfos()) {
            if (configurations.contains(table.getConfiguration())) {
                SnowflakeIdMembers.rejectMark(table.getEntityType());
                annotated.in(table.getEntityType()).forEach((attribute, member) -> check(attribute, member, table));
                if (isAutoConfigured && table.getIdType() == IdType.ASSIGN_ID) {
                    // Creates the generator now, so that no insert has to wait until a worker ID is leased.
                    String entity = table.getEntityType().getName();
                    IdGenerator generator =
                            new IdGenerators(beans).get("", "'" + table.getKeyProperty() + "' of " + entity);
                    if (customized == null) {
                        existing.check(table, generator);
                    }
                }
            }
        }
        configurations.clear();
    }

    private static void check(String attribute, SnowflakeIdMember member, TableInfo table) {
        String entity = table.getEntityType().getName();
        if (attribute.equals(table.getKeyProperty())) {
            if (table.getIdType() == IdType.AUTO) {
                throw Problem.TWO_ORIGINS.exception(
                        "Attribute '%s' of %s has two sources of values: %s and, by IdType.AUTO, the database"
                                .formatted(attribute, entity, member.written()),
                        """
                        Let MyBatis-Plus insert it:

                        %s
                        @TableId(type = IdType.ASSIGN_ID)""".formatted(member.written()));
            }
        } else if (table.getFieldList().stream().noneMatch(field -> isInserted(field, attribute))) {
            throw Problem.ATTRIBUTE_NOT_INSERTED.exception(
                    "Attribute '%s' of %s gets no Snowflake ID: MyBatis-Plus does not insert it"
                            .formatted(attribute, entity),
                    """
                    Map it to a field that is not static, transient or excluded, and insert it always:

                    %s
                    @TableField(insertStrategy = FieldStrategy.ALWAYS)

                    or remove %1$s.""".formatted(member.written()));
        }
    }

    private static boolean isInserted(TableFieldInfo field, String attribute) {
        return field.getProperty().equals(attribute)
                && (field.getInsertStrategy() != FieldStrategy.NEVER || field.isWithInsertFill());
    }
}
