/**
 * The common code of the adapters for persistence libraries (mappers), none of which this package knows. To write an
 * adapter for another mapper, take these steps:
 *
 * <ol>
 *   <li>Create a package with an auto-configuration that is conditional on a class of the mapper, and add it to the
 *       imports of Spring Boot and of the mapper's test slices.
 *   <li>Find the classes that the mapper manages before it maps the first one. {@link SnowflakeIdMembers} returns their
 *       attributes with {@link io.github.snowflakeid.SnowflakeId}.
 *   <li>For each attribute, get its {@link IdType}, and for an ID without an annotation the annotation of its type:
 *       {@link IdType#annotation}. Reject annotations in the wrong place with {@link IdType#requireMarkOnType} and
 *       {@link SnowflakeIdMembers#rejectMark}. {@link IdType#of(Class, String, String, String)} rejects other
 *       types. Make the mapper convert typed IDs with {@link IdType#wrap} and
 *       {@link IdType#unwrap}, unless the application converts them itself.
 *   <li>Get the generator with {@link IdGenerators#get}, and check with {@link IdType#requireRoom} that its IDs fit.
 *   <li>Before an insert, check {@link IdType#isSet}. If the attribute is not set, set it to the next ID with
 *       {@link IdType#convert}. The mapper must still insert the row. {@link Elements} reaches objects in collections,
 *       maps and arrays.
 *   <li>Fail at startup if an annotated attribute would get no ID, because it is not mapped, not inserted or not
 *       settable, or if it also gets values from another source. {@link MappingErrors} has the common messages; for
 *       others, use the constants of {@link io.github.snowflakeid.internal.failure.Problem}.
 *   <li>Call {@link IdGenerators#endAfter} with the bean that inserts rows, so that IDs are available until that bean
 *       is destroyed.
 *   <li>Add the limits to docs/typed-ids.md and a test class to the application {@code id-types}.
 * </ol>
 */
@NullMarked
package io.github.snowflakeid.internal.mapping;

import org.jspecify.annotations.NullMarked;
