package io.github.snowflakeid.actuate;

import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import io.github.snowflakeid.internal.properties.PropertyCheck;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.env.Environment;

/** Shows the groups of named generators in the endpoint {@code configprops}, with the properties that they inherit. */
@ConfigurationProperties(GeneratorName.ALL)
final class NamedGeneratorGroups {

    private final ConfigurableListableBeanFactory beans;
    private final Environment environment;

    /** The annotation says that the parameters are beans, not properties. */
    @Autowired
    NamedGeneratorGroups(ConfigurableListableBeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /**
     * Returns the groups. Spring Boot does not bind this property, which has no setter.
     *
     * @return the groups by the name of the generator and by the prefix that they have for the unnamed generator
     */
    public Map<String, Map<String, Object>> getEffective() {
        GeneratorProperties properties = GeneratorProperties.of(beans, environment);
        Map<String, Map<String, Object>> all = new TreeMap<>();
        for (GeneratorName generator : properties.names()) {
            Map<String, Object> groups = new TreeMap<>();
            PropertyCheck.groupsOfGenerators(beans)
                    .forEach((prefix, type) -> groups.put(prefix, properties.bind(generator, type, true)));
            all.put(generator.name(), groups);
        }
        return all;
    }
}
