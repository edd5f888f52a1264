/**
 * What the adapters for mappers have in common. This package knows no mapper. An adapter for another mapper takes these steps:
 *
 * <ol>
 *   <li>Create a package with an auto-configuration that is conditional on a class of the mapper, and add it to the imports of Spring Boot
 *       and of the mapper's test slices.
 *   <li>Find the classes that the mapper manages before it maps the first one. {@link SnowflakeIdMembers} returns their attributes with
 *       {@link io.github.snowflakeid.SnowflakeId}.
 *   <li>For each attribute, get its {@link IdType}, and for an ID without an annotation that of its component: {@link IdType#annotation}.
 *       {@link IdType#of} rejects other types. Let the mapper convert typed IDs by {@link IdType#wrap} and {@link IdType#unwrap},
 *       unless the application converts them itself.
 *   <li>Get the generator by {@link IdGenerators#get}, and require {@link IdType#requireRoom room} for its IDs.
 *   <li>Before an insert, ask {@link IdType#isSet}, and set {@link IdType#convert} of the next ID. The mapper must still insert the row.
 *   <li>Reject at startup every annotated attribute that would get no ID: not mapped, not inserted, not settable, or filled by something
 *       else as well. {@link MappingErrors} has the messages.
 *   <li>Call {@link IdGenerators#endAfter} with the bean that inserts rows, so that it gets IDs until it is destroyed.
 *   <li>Add a column to docs/typed-ids.md and a test class to the application {@code id-types}.
 * </ol>
 */
@NullMarked
package io.github.snowflakeid.internal.mapping;

import org.jspecify.annotations.NullMarked;
