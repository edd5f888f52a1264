package io.github.snowflakeid.hibernate;

import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.spi.MetadataSourcesContributor;

/**
 * Registers the generator {@code snowflake}, which is defined on this package, with every {@code EntityManagerFactory}.
 * Hibernate loads this class as a service.
 *
 * @hidden
 */
public final class NamedIdGeneratorContributor implements MetadataSourcesContributor {

    /** Creates the contributor. Called by Hibernate. */
    public NamedIdGeneratorContributor() {}

    @Override
    public void contribute(MetadataSources sources) {
        sources.addPackage(NamedIdGeneratorContributor.class.getPackage());
    }
}
