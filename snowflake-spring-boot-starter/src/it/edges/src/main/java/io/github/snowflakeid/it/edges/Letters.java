package io.github.snowflakeid.it.edges;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.rest.core.annotation.RepositoryRestResource;

@RepositoryRestResource(exported = false)
public interface Letters extends JpaRepository<Letter, Long> {}
