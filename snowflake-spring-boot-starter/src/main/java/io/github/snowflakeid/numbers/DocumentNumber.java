package io.github.snowflakeid.numbers;

/**
 * A document number with its parts, for applications that store them in separate columns.
 *
 * @param text the formatted number, such as {@code INV-2026-00042}
 * @param tenant the tenant; empty if the series has none
 * @param period the period in which the number is unique, such as {@code 2026}, {@code 2026-11} or {@code 2026-11-26};
 *     empty if the format has no date
 * @param number the number within tenant and period, from 1
 * @since 1.0
 */
public record DocumentNumber(String text, String tenant, String period, long number) {}
