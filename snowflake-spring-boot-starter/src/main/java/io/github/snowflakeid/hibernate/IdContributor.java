package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Id;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.archive.scan.spi.ScanEnvironment;
import org.hibernate.boot.model.TypeContributions;
import org.hibernate.boot.model.TypeContributor;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.boot.registry.classloading.spi.ClassLoadingException;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuilderImplementor;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.boot.spi.MetadataSourcesContributor;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.descriptor.java.spi.JavaTypeRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Adds IDs to every {@code EntityManagerFactory}. Hibernate loads this class as a service of three kinds.
 *
 * @hidden
 */
public final class IdContributor implements MetadataSourcesContributor, TypeContributor, AdditionalMappingContributor {

    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();

    /** Creates the contributor. Called by Hibernate. */
    public IdContributor() {}

    /** Registers the generator {@code snowflake}, which is defined on this package. */
    @Override
    public void contribute(MetadataSources sources) {
        sources.addPackage(IdContributor.class.getPackage());
    }

    /**
     * Gives attributes with {@link io.github.snowflakeid.SnowflakeId} their generators as soon as Hibernate knows all
     * entities, and rejects mappings that Hibernate accepts without generating an ID.
     */
    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext buildingContext) {
        new IdMapping(metadata).apply();
    }

    /**
     * Contributes a Java type for each {@linkplain IdType#isTyped() typed ID} among the attributes of managed classes.
     * {@link SnowflakeSettings#MANAGED_CLASSES} lists these classes; without it, the persistence unit does. Types that
     * the application contributes take precedence.
     */
    @Override
    @SuppressWarnings("unchecked") // Required by SnowflakeSettings.
    public void contribute(TypeContributions contributions, ServiceRegistry services) {
        @Nullable
        Supplier<? extends Collection<Class<?>>> managed =
                (Supplier<? extends Collection<Class<?>>>) services.requireService(ConfigurationService.class)
                        .getSettings()
                        .get(SnowflakeSettings.MANAGED_CLASSES);
        if (managed != null) {
            managed.get().forEach(type -> contributeTypesIn(type, contributions));
        } else if (contributions instanceof MetadataBuilderImplementor builder) {
            // Also in Spring's ahead-of-time processing, whose factories have no settings of beans.
            ClassLoaderService classes = services.requireService(ClassLoaderService.class);
            @Nullable ScanEnvironment unit = builder.getBootstrapContext().getScanEnvironment();
            for (String name : unit == null ? List.<String>of() : unit.getExplicitlyListedClassNames()) {
                try {
                    contributeTypesIn(classes.classForName(name), contributions);
                } catch (ClassLoadingException e) {
                    // A package, which a persistence unit also lists. Hibernate itself reports a class that is missing.
                }
            }
        }
    }

    private void contributeTypesIn(Class<?> managed, TypeContributions contributions) {
        JavaTypeRegistry known = contributions.getTypeConfiguration().getJavaTypeRegistry();
        ReflectionUtils.doWithFields(managed, field -> {
            if (field.isAnnotationPresent(Id.class) && known.findDescriptor(field.getType()) == null) {
                // Hibernate would report that it does not know the type, or store the object in serialized form.
                IdType.requireMarkOnType(field.getType(), field.getName(), managed.getName());
            }
        });
        for (IdType type : annotated.typedIdsIn(managed)) {
            if (!type.javaType().isAnnotationPresent(Embeddable.class)
                    && known.findDescriptor(type.javaType()) == null) {
                contributions.contributeJavaType(new IdJavaType(type, contributions.getTypeConfiguration()));
            }
        }
    }
}
