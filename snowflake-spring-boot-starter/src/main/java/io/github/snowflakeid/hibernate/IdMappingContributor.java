package io.github.snowflakeid.hibernate;

import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;

/**
 * Gives attributes with {@link io.github.snowflakeid.SnowflakeId} their generators, as soon as Hibernate knows all
 * entities, and refuses mappings that Hibernate accepts, but then gives no ids to, or some of another kind. Found by
 * Hibernate as a service; there is no use in calling it.
 */
public final class IdMappingContributor implements AdditionalMappingContributor {

    /** For Hibernate. */
    public IdMappingContributor() {}

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext buildingContext) {
        GeneratorMapping mapping = GeneratorMapping.of(metadata);
        new IdMapping(metadata, mapping).apply();
        new NamedIdGeneratorCheck(metadata, mapping).refuseUndefined();
    }
}
