package io.github.snowflakeid.text;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts single AES blocks with one key. A block consists of two big-endian longs. Not safe for use by several
 * threads at a time.
 */
final class Aes {

    static final int BLOCK_BYTES = 2 * Long.BYTES;

    private final Cipher cipher;
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);

    Aes(SecretKeySpec key) {
        try {
            // ECB encrypts single blocks; FF1 is the mode of operation.
            cipher = Cipher.getInstance("AES/ECB/NoPadding");
            cipher.init(Cipher.ENCRYPT_MODE, key);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "No security provider of this JVM supports AES/ECB/NoPadding with keys of this length", e);
        }
    }

    void encrypt(long high, long low) {
        block.putLong(0, high).putLong(Long.BYTES, low);
        try {
            cipher.update(block.array(), 0, BLOCK_BYTES, block.array(), 0);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("AES failed to encrypt a block", e);
        }
    }

    /** Returns eight bytes of the encrypted block, starting at an index. */
    long longAt(int index) {
        return block.getLong(index);
    }
}
