package io.github.snowflakeid.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Reads the files of processes, one file for each of their threads. */
final class IdFiles {

    private IdFiles() {}

    static List<Path> files(Path directory, String kind) {
        return Stream.of(directory.toFile().listFiles((folder, name) -> name.contains(kind)))
                .map(File::toPath)
                .toList();
    }

    static long bytes(Path directory) {
        return files(directory, ".ids").stream()
                .mapToLong(file -> file.toFile().length())
                .sum();
    }

    /** Returns all IDs, unsorted. The IDs of each thread must ascend. */
    static long[] in(Path directory) throws IOException {
        long[] all = new long[(int) (bytes(directory) / Long.BYTES)];
        int filled = 0;
        for (Path file : files(directory, ".ids")) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            long last = 0;
            while (bytes.remaining() >= Long.BYTES) {
                long id = bytes.getLong();
                assertThat(id > last).as("order within one thread").isTrue();
                last = id;
                all[filled++] = id;
            }
        }
        return Arrays.copyOf(all, filled);
    }

    /** Returns the number of duplicates. Sorts the array. */
    static int duplicates(long[] ids) {
        Arrays.sort(ids);
        int duplicates = 0;
        for (int i = 1; i < ids.length; i++) {
            duplicates += ids[i] == ids[i - 1] ? 1 : 0;
        }
        return duplicates;
    }
}
