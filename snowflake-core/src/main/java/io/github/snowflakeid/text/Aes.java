package io.github.snowflakeid.text;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts single blocks with one key. A block is two longs, big-endian. For one thread at a time. */
final class Aes {

    static final int BLOCK_BYTES = 2 * Long.BYTES;

    private final Cipher cipher;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);

    Aes(SecretKeySpec key) {
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
        block.putLong(0, high).putLong(Long.BYTES, low);
        try {
            cipher.update(block.array(), 0, BLOCK_BYTES, block.array(), 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES failed on a whole block", e);
        }
    }

    /** Returns eight bytes of the encrypted block. */
    long longAt(int index) {
        return block.getLong(index);
    }
}
