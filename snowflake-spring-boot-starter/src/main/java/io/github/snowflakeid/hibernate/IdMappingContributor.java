package io.github.snowflakeid.hibernate;

import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;

/**
 * Gives attributes with {@link io.github.snowflakeid.SnowflakeId} their generators as soon as Hibernate knows all
 * entities, and rejects mappings that Hibernate accepts without generating an ID. Hibernate loads this class as a
 * service.
 *
 * @hidden
 */
public final class IdMappingContributor implements AdditionalMappingContributor {

    /** Creates the contributor. Called by Hibernate. */
    public IdMappingContributor() {}

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext buildingContext) {
        new IdMapping(metadata).apply();
    }
}
