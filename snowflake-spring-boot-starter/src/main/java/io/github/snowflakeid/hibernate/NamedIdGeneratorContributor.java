package io.github.snowflakeid.hibernate;

import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.spi.MetadataSourcesContributor;

/**
 * Makes the generator name {@code snowflake}, which is defined on this package, known to every
 * {@code EntityManagerFactory}. Found by Hibernate as a service; there is no use in calling it.
 *
 * @hidden
 */
public final class NamedIdGeneratorContributor implements MetadataSourcesContributor {

    /** For Hibernate. */
    public NamedIdGeneratorContributor() {}

    @Override
    public void contribute(MetadataSources sources) {
        sources.addPackage(NamedIdGeneratorContributor.class.getPackage());
    }
}
