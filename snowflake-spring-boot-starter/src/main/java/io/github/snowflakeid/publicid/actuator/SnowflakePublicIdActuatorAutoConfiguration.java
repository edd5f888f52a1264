package io.github.snowflakeid.publicid.actuator;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.properties.PropertyGroup;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import io.github.snowflakeid.internal.text.PublicIdProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.ParameterMappingException;
import org.springframework.boot.actuate.endpoint.invoke.ParameterValueMapper;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;

/**
 * Auto-configuration of public IDs in actuator endpoints. It converts IDs in parameters of endpoints. It masks the keys
 * of public IDs, even if endpoints are configured to show values, and whatever the name of the property or variable
 * that contains a key.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
@PropertyGroup(PublicIdProperties.class)
public final class SnowflakePublicIdActuatorAutoConfiguration {

    SnowflakePublicIdActuatorAutoConfiguration() {}

    @Bean("snowflake.publicIdKeySanitizer")
    SanitizingFunction snowflakePublicIdKeySanitizer(PublicIdProperties properties) {
        List<String> secrets = properties.secrets();
        return data ->
                secrets.stream().anyMatch(String.valueOf(data.getValue())::contains) ? data.withSanitizedValue() : data;
    }

    @Bean("snowflake.endpointIds")
    static BeanPostProcessor snowflakeEndpointIds(ObjectProvider<IdTextConverter> converter) {
        return new BeanChange((bean, name) -> bean instanceof ParameterValueMapper usual
                ? (ParameterValueMapper) (parameter, value) -> map(parameter, value, usual, converter.getObject())
                : bean);
    }

    private static @Nullable Object map(
            OperationParameter parameter, @Nullable Object value, ParameterValueMapper usual, IdTextConverter ids) {
        IdTextCodec form = ids.formOf(ResolvableType.forClass(parameter.getType()), parameter::getAnnotation);
        if (value == null || form == null) {
            return usual.mapParameterValue(parameter, value);
        }
        IdType id = IdTextCodecs.idType(parameter.getType());
        if (id == null) {
            throw PublicIdErrors.noId(
                    form, parameter.toString(), parameter.getType().getTypeName());
        }
        try {
            return form.read(id, value.toString());
        } catch (IllegalArgumentException e) {
            throw new ParameterMappingException(parameter, value, e);
        }
    }
}
