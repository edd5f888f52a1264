package io.github.snowflakeid.actuate;

import io.github.snowflakeid.internal.properties.GeneratorName;
import io.github.snowflakeid.internal.properties.GeneratorProperties;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.core.env.Environment;

/** Shows the groups of named generators in the endpoint {@code configprops}, with the properties that they inherit. */
@ConfigurationProperties(GeneratorName.ALL)
final class NamedGeneratorGroups {

    /**
     * The bean names of the groups that each generator has. Spring Boot puts the prefix of a group before the name of
     * its class.
     */
    private static final Pattern GROUP =
            Pattern.compile("(snowflake(\\.worker\\..*|\\.segment.*)?)-io\\.github\\.snowflakeid\\.(?!numbers\\.).*");

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
        for (String bean : beans.getBeanDefinitionNames()) {
            Matcher group = GROUP.matcher(bean);
            Class<?> type = group.matches() ? beans.getType(bean, false) : null;
            if (type != null) {
                for (GeneratorName generator : properties.names()) {
                    all.computeIfAbsent(generator.name(), name -> new TreeMap<>())
                            .put(group.group(1), properties.bind(generator, type, true));
                }
            }
        }
        return all;
    }
}
