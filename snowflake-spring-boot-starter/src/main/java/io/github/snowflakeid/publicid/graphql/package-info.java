/** Text forms of IDs in Spring for GraphQL. */
@NullMarked
package io.github.snowflakeid.publicid.graphql;

import org.jspecify.annotations.NullMarked;
