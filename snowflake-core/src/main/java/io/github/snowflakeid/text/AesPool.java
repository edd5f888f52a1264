package io.github.snowflakeid.text;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicReferenceArray;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * AES with one key, for any number of threads. A {@link Cipher} serves one caller at a time and is dear to make. Those that
 * nobody uses wait here, in a slot that the thread's number chooses; so a million virtual threads need no more of them than
 * run at once. No thread ever waits for another one.
 */
final class AesPool {

    private static final int SLOTS =
            Integer.highestOneBit(4 * Math.min(16, Runtime.getRuntime().availableProcessors()));

    private final SecretKeySpec key;
    private final AtomicReferenceArray<@Nullable Aes> idle = new AtomicReferenceArray<>(SLOTS);

    AesPool(SecretKeySpec key) {
        this.key = key;
        give(new Aes(key));
    }

    /** For the caller alone, until it gives it back; if it does not, the next one gets a new one. */
    Aes take() {
        int home = home();
        for (int step = 0; step < SLOTS; step++) {
            Aes aes = idle.getAndSet(home ^ step, null);
            if (aes != null) {
                return aes;
            }
        }
        return new Aes(key);
    }

    void give(Aes aes) {
        int home = home();
        for (int step = 0; step < SLOTS; step++) {
            if (idle.compareAndSet(home ^ step, null, aes)) {
                return;
            }
        }
    }

    private static int home() {
        return (int) Thread.currentThread().getId() & (SLOTS - 1);
    }

    /** Encrypts single blocks, which are two longs, big-endian. */
    static final class Aes {

        private final Cipher cipher;
        private final ByteBuffer in = ByteBuffer.allocate(2 * Long.BYTES);
        private final ByteBuffer out = ByteBuffer.allocate(2 * Long.BYTES);

        private Aes(SecretKeySpec key) {
            try {
                // The bare cipher: FF1 is the mode of operation.
                cipher = Cipher.getInstance("AES/ECB/NoPadding");
                cipher.init(Cipher.ENCRYPT_MODE, key);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(
                        "no security provider of this JVM has AES/ECB/NoPadding for keys of this length", e);
            }
        }

        void encrypt(long high, long low) {
            in.putLong(0, high).putLong(Long.BYTES, low);
            try {
                cipher.update(in.array(), 0, in.capacity(), out.array(), 0);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("AES failed on a whole block", e);
            }
        }

        long high() {
            return out.getLong(0);
        }

        long low() {
            return out.getLong(Long.BYTES);
        }

        long longAt(int index) {
            return out.getLong(index);
        }
    }
}
